package dev.lockstep.server.http;

import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.stereotype.Component;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/** JSON is read as it is written: nothing unknown, nothing twice, no "5" for 5 and no 5 for "5". */
@Component
final class StrictJson implements JsonMapperBuilderCustomizer {
    @Override
    public void customize(JsonMapper.Builder json) {
        json.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .withCoercionConfig(LogicalType.Textual, texts -> {
                    texts.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
                    texts.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
                    texts.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
                });
    }
}
