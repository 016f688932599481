package dev.lockstep.cli;

import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServer;
import java.util.stream.Stream;

/** Arguments of the command with the options that lead to a server of the tests, which may want a password. */
final class StoreArgs {
    private StoreArgs() {}

    static String[] of(TestDatabase database, String... args) {
        return of(database.jdbcUrl(), database.user(), database.password(), args);
    }

    static String[] of(TestServer server, String... args) {
        return of(server.jdbcUrl(), server.user(), server.password(), args);
    }

    static String[] of(String url, String user, String password, String... args) {
        Stream<String> store = Stream.of("--store", url, "--user", user);
        Stream<String> secret = password.isEmpty() ? Stream.empty() : Stream.of("--password=" + password);
        return Stream.of(Stream.of(args), store, secret).flatMap(each -> each).toArray(String[]::new);
    }
}
