package dev.lockstep.testservers;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** MySQL, from the whole distribution of which only the server itself is unpacked. */
final class MysqlRecipe implements ServerRecipe {
    /** Whole names for programs: the debug build beside the server has 412 MB. */
    private static final Set<String> PROGRAMS = Set.of("bin/mysqld");

    private static final List<String> FOLDERS = List.of("lib/private/", "share/");
    private static final Path SYSTEM_LIBRARIES = Path.of("/usr/lib/x86_64-linux-gnu");

    /** Without host names, root@localhost does not exist on TCP. */
    private static final String FIRST_STATEMENTS = """
            CREATE USER 'root'@'%';
            GRANT ALL ON *.* TO 'root'@'%' WITH GRANT OPTION;
            CREATE DATABASE mgl_test;
            """;

    @Override
    public void unpack(Path archive, Path programs) throws IOException {
        Archives.unzip(archive, "", MysqlRecipe::isNeeded, programs);
    }

    private static boolean isNeeded(String name) {
        return PROGRAMS.contains(name) || FOLDERS.stream().anyMatch(name::startsWith);
    }

    /** The data directory exists before the server initialises it, because its temporary files go there as well. */
    @Override
    public void initialise(Path programs, Path template) throws IOException {
        Files.createDirectory(template);
        Path statements = Files.writeString(programs.resolve("first.sql"), FIRST_STATEMENTS);
        ServerCommand.of(mysqld(programs, template))
                .with("--initialize-insecure", "--init-file=" + statements)
                .run();
        Files.delete(template.resolve("auto.cnf"));
    }

    @Override
    public List<String> command(Path programs, Path data, int port) {
        return ServerCommand.of(mysqld(programs, data))
                .with("--port=" + port, "--socket=" + data.resolveSibling("mysql.sock"), "--mysqlx=OFF")
                .with("--bind-address=127.0.0.1", "--skip-name-resolve", "--max-connections=400")
                .with("--innodb-flush-log-at-trx-commit=1", "--innodb-buffer-pool-size=128M")
                .words();
    }

    /** With its own folder for temporary tables: at its start a server deletes all that it finds there, those of others too. */
    private static List<String> mysqld(Path programs, Path data) {
        return ServerCommand.of(List.of(programs.resolve("bin/mysqld").toString(), "--no-defaults"))
                .with("--basedir=" + programs, "--datadir=" + data, "--tmpdir=" + data)
                .with(Platform.isRoot() ? List.of("--user=root") : List.of())
                .words();
    }

    /** Newer Debian and Ubuntu have the library under another name. */
    @Override
    public void adapt(Path programs) throws IOException {
        Path renamed = SYSTEM_LIBRARIES.resolve("libaio.so.1t64");
        if (Files.exists(renamed) && !Files.exists(SYSTEM_LIBRARIES.resolve("libaio.so.1"))) {
            link(programs.resolve("lib/private/libaio.so.1"), renamed);
        }
    }

    private static void link(Path link, Path target) throws IOException {
        try {
            Files.createSymbolicLink(link, target);
        } catch (FileAlreadyExistsException e) {
            // An earlier start, or another JVM, was here before.
        }
    }

    @Override
    public String readyMark() {
        return "ready for connections";
    }

    @Override
    public String user() {
        return "root";
    }
}
