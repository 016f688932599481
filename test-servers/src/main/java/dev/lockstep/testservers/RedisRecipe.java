package dev.lockstep.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Redis; every change is on the disk before it is answered, as with the databases. */
final class RedisRecipe implements ServerRecipe {
    private static final String PROGRAM = "redis-server-6.2.6-v5-linux-amd64";

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
        return Command.of(List.of(programs.resolve(PROGRAM).toString()))
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
