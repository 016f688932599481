package dev.lockstep.testservers;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class PlatformTest {

    @Test
    void linuxOnX86HasServers() {
        assertThatCode(() -> Platform.requireServers(ServerKind.MYSQL, "Linux", "amd64", Map.of()))
                .doesNotThrowAnyException();
    }

    @Test
    void elsewhereATestIsSkippedAndSaysSo() {
        assertThatThrownBy(() -> Platform.requireServers(ServerKind.MYSQL, "Mac OS X", "aarch64", Map.of()))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("NOT TESTED")
                .hasMessageContaining("MYSQL_DSN");
    }

    @Test
    void inContinuousIntegrationASkipIsAnError() {
        assertThatThrownBy(() -> Platform.requireServers(ServerKind.REDIS, "Linux", "aarch64", Map.of("CI", "true")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("NOT TESTED");
    }
}
