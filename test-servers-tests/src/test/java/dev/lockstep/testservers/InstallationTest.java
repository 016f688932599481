package dev.lockstep.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
@Tag("once")
class InstallationTest {
    @TempDir
    Path cache;

    /** PostgreSQL starts from one in {@link #severalJvmsThatStartAtOnceShareIt}. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "POSTGRES")
    void everyKindOfServerStartsFromAnEmptyCache(ServerKind kind) throws IOException {
        try (ChildJvm child = ServerChild.starting(kind, cache)) {
            assertThat(ProcessHandle.of(Long.parseLong(child.answer()))).isPresent();
        }
    }

    @Test
    void isMadeOnce() throws IOException {
        Path first = Installation.of(ServerKind.REDIS, cache).directory();
        Object key = Files.readAttributes(first, "fileKey").get("fileKey");
        Path second = Installation.of(ServerKind.REDIS, cache).directory();
        assertThat(Files.readAttributes(second, "fileKey").get("fileKey")).isEqualTo(key);
    }

    @Test
    void whatAKilledJvmLeftHalfUnpackedIsNotUsed() throws IOException {
        Path whole = Installation.of(ServerKind.REDIS, cache).directory();
        Path half = whole.resolveSibling(whole.getFileName() + ".tmp");
        Files.move(whole, half);
        Path rubbish = Files.writeString(half.resolve("programs/rubbish"), "x");
        Installation.of(ServerKind.REDIS, cache);
        assertThat(whole.resolve("programs")).isDirectory();
        assertThat(whole.resolve("programs/rubbish")).doesNotExist();
        assertThat(rubbish).doesNotExist();
    }

    @Test
    void severalJvmsThatStartAtOnceShareIt() throws IOException {
        List<ChildJvm> children = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                children.add(ServerChild.starting(ServerKind.POSTGRES, cache));
            }
            for (ChildJvm child : children) {
                assertThat(ProcessHandle.of(Long.parseLong(child.answer()))).isPresent();
            }
        } finally {
            children.forEach(ChildJvm::close);
        }
        try (var files = Files.list(cache)) {
            assertThat(files.filter(Files::isDirectory)).hasSize(1);
        }
    }
}
