package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the modules really export. */
@UsesChromium
class ExportsTest {
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"lockstep-project-lock", "tabs", "named", "testing"})
    @DisplayName("The types declare exactly what the module exports")
    void typesMatch(String module, Tabs tabs) throws IOException {
        String types = PackageTest.text(module + ".d.ts");
        Object exported = tabs.open()
                .run("return Object.keys(await import(given)).sort().join();", Tabs.MODULES + module + ".js");
        assertThat(exported)
                .isEqualTo(String.join(",", new TreeSet<>(PackageTest.declared(types, "(?:class|function) (\\w+)"))));
    }
}
