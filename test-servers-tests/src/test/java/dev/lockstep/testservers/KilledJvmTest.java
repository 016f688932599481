package dev.lockstep.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
@Tag("once")
class KilledJvmTest {

    @ParameterizedTest
    @EnumSource
    void aKilledJvmLeavesNoServerAndNoData(ServerKind kind) throws IOException {
        try (ChildJvm child = ServerChild.starting(kind, Installation.cache())) {
            long pid = Long.parseLong(child.answer());
            Path directory = Path.of(child.answer());
            assertThat(ProcessHandle.of(pid)).isPresent();
            assertThat(directory).isDirectory();
            child.kill();
            await().atMost(Duration.ofMinutes(3))
                    .until(() -> ProcessHandle.of(pid).isEmpty() && Files.notExists(directory));
        }
    }
}
