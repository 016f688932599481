package dev.lockstep.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Redis; every change is on the disk before it is answered, as with the databases.
 *
 * @param file the program in the archive
 * @param variable the environment variable that names another program to start, such as Debian's Redis or Valkey
 */
record RedisRecipe(String file, String variable) implements ServerRecipe {
    static final RedisRecipe REDIS_6 = new RedisRecipe("redis-server-6.2.6-v5-linux-amd64", "REDIS_SERVER");
    static final RedisRecipe REDIS_7 = new RedisRecipe("redis-server-7.0.15-linux-amd64", "REDIS_7_SERVER");

    /** The program that is started. */
    String program(Path programs) {
        String other = System.getenv(variable);
        return other == null || other.isBlank() ? programs.resolve(file).toString() : other;
    }

    @Override
    public void unpack(Path archive, Path programs) throws IOException {
        Archives.unzip(archive, "", file::equals, programs);
        programs.resolve(file).toFile().setExecutable(true);
    }

    @Override
    public void initialise(Path programs, Path template) throws IOException {
        Files.createDirectory(template);
    }

    @Override
    public List<String> command(Path programs, Path data, int port) {
        return ServerCommand.of(List.of(program(programs)))
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
