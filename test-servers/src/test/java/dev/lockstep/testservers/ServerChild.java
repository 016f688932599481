package dev.lockstep.testservers;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM that starts a server and then waits. */
final class ServerChild implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private ServerChild(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    static ServerChild starting(ServerKind kind, Path cache) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin/java").toString()));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add("-Dlockstep.servers=" + cache);
        command.addAll(List.of(ServerChild.class.getName(), kind.name()));
        return new ServerChild(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    public static void main(String[] args) throws InterruptedException {
        PrivateServer server = TestServers.start(ServerKind.valueOf(args[0]));
        System.out.println(server.pid());
        System.out.println(server.directory());
        Thread.sleep(600_000);
    }

    /** What it says about its server: the process id, then the directory. */
    String line() throws IOException {
        String line = output.readLine();
        if (line == null) {
            throw new IOException("the child ended without a word");
        }
        return line;
    }

    /** Ends it as kill -9 does. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
    }
}
