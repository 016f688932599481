package dev.lockstep.testservers;

import java.io.IOException;
import java.nio.file.Path;

/** What another JVM does: it starts a server, says the server's process id and its directory, and waits. */
final class ServerChild {
    private ServerChild() {}

    static ChildJvm starting(ServerKind kind, Path cache) throws IOException {
        return ChildJvm.start(ServerChild.class, kind.name(), cache.toString());
    }

    public static void main(String[] args) throws IOException {
        System.setProperty("lockstep.servers", args[1]);
        PrivateServer server = TestServers.start(ServerKind.valueOf(args[0]));
        System.out.println(server.pid());
        System.out.println(server.directory());
        ChildJvm.obey(words -> "it only waits");
    }
}
