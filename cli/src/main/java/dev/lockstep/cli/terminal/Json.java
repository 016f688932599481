package dev.lockstep.cli.terminal;

import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What {@code --json} prints: in ASCII, so that no terminal and no pipe can spoil it. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build();

    private Json() {}

    /** The same in one line, for streams of values. */
    public static String line(Object value) {
        return MAPPER.writer().without(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value);
    }

    /** A value, such as a record, as JSON. */
    public static String of(Object value) {
        return MAPPER.writeValueAsString(value);
    }
}
