package dev.lockstep.testservers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** How one kind of server is unpacked, given its first data, and started. */
interface ServerRecipe {
    /** Unpacks what is needed of the archive into an empty directory. */
    void unpack(Path archive, Path programs) throws IOException;

    /** Makes the data directory that every server of this kind starts with. */
    void initialise(Path programs, Path template) throws IOException;

    /** The command that starts a server in the foreground. */
    List<String> command(Path programs, Path data, int port);

    /** What the server logs when it can be used. */
    String readyMark();

    /** The user that may do everything, without a password. */
    String user();

    /** The signal to which a server shuts down in good order, whatever is connected. */
    default String stopSignal() {
        return "TERM";
    }

    /** The signal that ends a server for good: no one needs its data any more. */
    default String endSignal() {
        return "KILL";
    }

    /** Adds to a server's own data what it needs before its first start. */
    default void prepare(Path data, int port) throws IOException {}

    /** Adapts the unpacked programs to this machine, before each start. */
    default void adapt(Path programs) throws IOException {}
}
