package dev.lockstep.testservers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** PostgreSQL, which refuses to run as root: there it runs as another user, but may still read and write root's directories. */
final class PostgresRecipe implements ServerRecipe {
    private static final List<String> AS_NOBODY = List.of(
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            "--inh-caps=+dac_override",
            "--ambient-caps=+dac_override",
            "--securebits=+no_setuid_fixup");

    @Override
    public void unpack(Path archive, Path programs) throws IOException {
        Archives.untar(archive, "postgres-linux-x86_64.txz", programs);
    }

    @Override
    public void initialise(Path programs, Path template) throws IOException {
        program(programs, "initdb")
                .with("-D", template.toString(), "-U", user(), "--auth=trust")
                .with("--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions")
                .run();
        program(programs, "postgres")
                .with("--single", "-D", template.toString(), "postgres")
                .run("CREATE DATABASE lockstep\n");
    }

    @Override
    public List<String> command(Path programs, Path data, int port) {
        return program(programs, "postgres")
                .with("-D", data.toString(), "-p", Integer.toString(port), "-h", "127.0.0.1")
                .with("-c", "unix_socket_directories=", "-c", "max_connections=400")
                .words();
    }

    private static ServerCommand program(Path programs, String name) {
        return ServerCommand.of(Platform.isRoot() ? AS_NOBODY : List.of())
                .with(programs.resolve("bin").resolve(name).toString());
    }

    /** A standby logs "read-only connections". */
    @Override
    public String readyMark() {
        return "database system is ready to accept";
    }

    @Override
    public String user() {
        return "postgres";
    }

    @Override
    public String stopSignal() {
        return "INT";
    }

    /** A killed server leaves a segment of shared memory behind. */
    @Override
    public String endSignal() {
        return "QUIT";
    }
}
