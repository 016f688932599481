package dev.lockstep.testservers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class ChromiumTest {
    private static final List<Path> NONE = List.of(Path.of("no-such-program"));

    @Test
    @DisplayName("Without Chromium tests are skipped with a reason, and fail where CI is true")
    void missing() {
        assertThatThrownBy(() -> Chromium.program(NONE, Map.of()))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("apt-get install chromium");
        assertThatThrownBy(() -> Chromium.program(NONE, Map.of("CI", "true")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("NOT TESTED");
    }
}
