package dev.lockstep.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Redis; every change is on the disk before it is answered, as with the databases. */
final class RedisRecipe implements ServerRecipe {
    private static final String PROGRAM = "redis-server-6.2.6-v5-linux-amd64";

    /** The environment variable that names another program to start, such as Debian's Redis 7 or Valkey. */
    private static final String OTHER_PROGRAM = "REDIS_SERVER";

    /** The program that is started. */
    static String program(Path programs) {
        String other = System.getenv(OTHER_PROGRAM);
        return other == null || other.isBlank() ? programs.resolve(PROGRAM).toString() : other;
    }

    @Override
    public void unpack(Path archive, Path programs) throws IOException {
        Archives.unzip(archive, "", PROGRAM::equals, programs);
        programs.resolve(PROGRAM).toFile().setExecutable(true);
    }

    @Override
    public void initialise(Path programs, Path template) throws IOException {
        Files.createDirectory(template);
    }

    @Override
    public List<String> command(Path programs, Path data, int port) {
        return Command.of(List.of(program(programs)))
                .with("--port", Integer.toString(port), "--bind", "127.0.0.1", "--dir", data.toString())
                .with("--appendonly", "yes", "--appendfsync", "always", "--save", "")
                .words();
    }

    @Override
    public String readyMark() {
        return "Ready to accept connections";
    }

    @Override
    public String user() {
        return "";
    }
}
