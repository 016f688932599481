package dev.lockstep.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.cli.provision.KindDeclarations;
import dev.lockstep.cli.store.Credentials;
import dev.lockstep.cli.store.StoreAddress;
import dev.lockstep.core.InvalidRequestException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command line says, as the server's properties. */
@Tag("once")
class ServingTest {
    private static final Credentials NOBODY = new Credentials(Optional.empty(), Optional.empty());

    @TempDir
    private Path temporary;

    private Path data() {
        return temporary.resolve("data");
    }

    private Storing storing(String store, @Nullable String inventory, boolean demo) {
        return new Storing(
                StoreAddress.parse(store, NOBODY, Optional.empty()),
                Optional.empty(),
                Optional.ofNullable(inventory),
                NOBODY,
                data(),
                Storing.USUAL_LEASES,
                demo);
    }

    private static Map<String, Object> properties(Listening listening, Storing storing, String... kinds) {
        return new Serving(
                        listening,
                        storing,
                        List.of(KindDeclarations.of(List.of(kinds))),
                        "b",
                        Map.of("c", "http://10.0.0.2:7070"),
                        false,
                        storing.demo(),
                        false)
                .properties();
    }

    private static Listening loopback() {
        return new Listening("127.0.0.1", 0, null, null, Optional.empty(), List.of());
    }

    @Test
    void inMemoryThereIsAFolderForTheStock() {
        Map<String, Object> properties = properties(loopback(), storing("memory", null, false));
        assertThat(properties)
                .containsEntry("lockstep.store", "memory")
                .containsEntry("lockstep.server.data", data().toString())
                .containsEntry("lockstep.server.node", "b")
                .containsEntry("lockstep.server.peers[c]", "http://10.0.0.2:7070")
                .containsEntry("lockstep.server.demo", false)
                .doesNotContainKeys("lockstep.server.token", "lockstep.server.hosts");
        assertThat(properties.get("spring.datasource.url"))
                .isEqualTo("jdbc:h2:file:" + data().resolve("stock") + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE");
        assertThat(data()).isDirectory();
    }

    @Test
    void aDemoHasNoFolder() {
        Map<String, Object> properties = properties(loopback(), storing("memory", null, true));
        assertThat(properties).containsEntry("lockstep.server.demo", true).doesNotContainKey("lockstep.server.data");
        assertThat(properties.get("spring.datasource.url")).asString().startsWith("jdbc:h2:mem:");
        assertThat(data()).doesNotExist();
    }

    @Test
    void onRedisAndWithAnotherDatabaseForTheStock() {
        assertThat(properties(
                        loopback(), storing("redis-cluster://:s,t@a:1,b:2?partitions=8", "jdbc:h2:mem:stock", false)))
                .containsEntry("lockstep.store", "redis")
                .containsEntry("lockstep.redis.cluster[0]", "redis://:s,t@a:1")
                .containsEntry("lockstep.redis.cluster[1]", "redis://:s,t@b:2")
                .containsEntry("lockstep.redis.partitions", 8);
        assertThat(properties(loopback(), storing("redis://127.0.0.1:1", "jdbc:h2:mem:stock", false)))
                .containsEntry("lockstep.store", "redis")
                .containsEntry("lockstep.redis.url", "redis://127.0.0.1:1")
                .containsEntry("spring.datasource.url", "jdbc:h2:mem:stock");
        assertThatThrownBy(() -> properties(loopback(), storing("memory", "redis://127.0.0.1:1", false)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("--inventory needs a database");
    }

    @Test
    void whoMayCome() {
        Listening open =
                new Listening("0.0.0.0", 0, "sesame", null, Optional.empty(), List.of("locks.example.org", "other"));
        assertThat(properties(open, storing("memory", null, true)))
                .containsEntry("server.address", "0.0.0.0")
                .containsEntry("lockstep.server.token", "sesame")
                .containsEntry("lockstep.server.hosts", "locks.example.org,other");
        assertThat(open.toString()).doesNotContain("sesame");
        assertThat(open.page(7070)).isEqualTo("http://127.0.0.1:7070/");
    }

    @Test
    void kinds() {
        assertThat(properties(loopback(), storing("memory", null, false), "user:0", "account:1:user:leaf"))
                .containsEntry("lockstep.kinds[user].rank", 0)
                .containsEntry("lockstep.kinds[account].parent", "user")
                .containsEntry("lockstep.kinds[account].leaf", true);
        assertThatThrownBy(() -> properties(loopback(), storing("memory", null, true), "user:0"))
                .hasMessageContaining("--demo locks kinds of its own");
    }

    @Test
    void whatCantBeListenedOn() {
        assertThatThrownBy(() -> new Listening("127.0.0.1", 70_000, null, null, Optional.empty(), List.of()).checked())
                .hasMessageContaining("--port 70000 is no port");
        assertThatThrownBy(() ->
                        new Listening("no.such.host.invalid", 0, null, null, Optional.empty(), List.of()).checked())
                .hasMessageContaining("--host no.such.host.invalid is not known");
        assertThatThrownBy(() -> new Listening("0.0.0.0", 0, " ", null, Optional.empty(), List.of()).checked())
                .hasMessageContaining("LOCKSTEP_TOKEN");
    }

    @Test
    void aFolderThatCantBeMade() throws Exception {
        Files.writeString(data(), "a file");
        assertThatThrownBy(() -> properties(loopback(), storing("memory", null, false)))
                .hasMessageContaining("The data folder " + data() + " can't be made or written to");
    }
}
