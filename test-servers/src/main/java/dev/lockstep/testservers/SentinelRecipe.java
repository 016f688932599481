package dev.lockstep.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A sentinel, which watches a Redis server and promotes its replica; it decides alone.
 *
 * @param downAfter how long the master must be silent
 */
record SentinelRecipe(String name, PrivateServer master, Duration downAfter) implements ServerRecipe {
    private static final String CONFIG = "sentinel.conf";

    @Override
    public void unpack(Path archive, Path programs) throws IOException {
        RedisRecipe.REDIS_6.unpack(archive, programs);
    }

    @Override
    public void initialise(Path programs, Path template) throws IOException {
        RedisRecipe.REDIS_6.initialise(programs, template);
    }

    /** It keeps what it knows in its configuration, so that must be a file. */
    @Override
    public void prepare(Path data, int port) throws IOException {
        Files.writeString(data.resolve(CONFIG), """
                port %d
                bind 127.0.0.1
                dir %s
                sentinel monitor %s %s %d 1
                sentinel down-after-milliseconds %s %d
                sentinel failover-timeout %s 20000
                """.formatted(
                        port, data, name, master.host(), master.port(), name, downAfter.toMillis(), name));
    }

    @Override
    public List<String> command(Path programs, Path data, int port) {
        return List.of(
                RedisRecipe.REDIS_6.program(programs), data.resolve(CONFIG).toString(), "--sentinel");
    }

    @Override
    public String readyMark() {
        return "Sentinel ID is";
    }

    @Override
    public String user() {
        return "";
    }
}
