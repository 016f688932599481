package dev.lockstep.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** What IDEs know of the properties, and what the documentation says. */
@Tag("once")
class ConfigurationMetadataTest {
    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> metadata(String part) throws Exception {
        URL starter =
                LockstepProperties.class.getProtectionDomain().getCodeSource().getLocation();
        String json;
        try (var classes = new URLClassLoader(new URL[] {starter}, null);
                InputStream metadata = classes.getResourceAsStream("META-INF/spring-configuration-metadata.json")) {
            json = new String(metadata.readAllBytes(), StandardCharsets.UTF_8);
        }
        return (List<Map<String, Object>>)
                JsonParserFactory.getJsonParser().parseMap(json).get(part);
    }

    @Test
    @DisplayName("every property has a description, and is in the documentation")
    void properties() throws Exception {
        String document = Files.readString(Path.of("../docs/spring.md"));
        List<Map<String, Object>> properties = metadata("properties").stream()
                .filter(property -> String.valueOf(property.get("name")).startsWith("lockstep."))
                .toList(); // Spring Boot describes the others, of endpoints
        assertThat(properties).hasSizeGreaterThan(25);
        assertThat(properties).allSatisfy(property -> {
            assertThat((String) property.get("description")).as("%s", property).isNotBlank();
            assertThat(document).contains("`" + property.get("name") + "`");
        });
    }

    @Test
    @DisplayName("defaults that depend on the store are known, and so are the stores")
    void defaultsAndHints() throws Exception {
        assertThat(metadata("properties"))
                .anySatisfy(property -> assertThat(property)
                        .containsEntry("name", "lockstep.connections")
                        .containsEntry("defaultValue", 16));
        assertThat(metadata("hints"))
                .filteredOn(hint -> "lockstep.store".equals(hint.get("name")))
                .singleElement()
                .satisfies(hint -> assertThat((List<?>) hint.get("values")).hasSize(StoreType.values().length));
    }
}
