package dev.lockstep.cli;

import dev.lockstep.cli.store.Credentials;
import dev.lockstep.cli.store.DatabaseAddress;
import dev.lockstep.cli.store.PairAddress;
import dev.lockstep.cli.store.StoreAddress;
import dev.lockstep.core.InvalidRequestException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of a fallback, a database that stands in for the store. */
final class FallbackMixin {
    @Option(
            names = "--fallback",
            paramLabel = "URL",
            defaultValue = "${env:LOCKSTEP_FALLBACK_URL}",
            description =
                    "A database that stands in for the store while that can't be reached, such as jdbc:postgresql://host/database.")
    private @Nullable String url;

    @Option(
            names = "--fallback-user",
            paramLabel = "USER",
            description =
                    "Its user, unless the URL names it; the variable LOCKSTEP_FALLBACK_PASSWORD has the password.")
    private @Nullable String user;

    @Option(
            names = "--pair",
            paramLabel = "NAME",
            description = "The name of the two stores in the fallback's register, ${DEFAULT-VALUE} by default.")
    private String pair = "default";

    boolean isGiven() {
        return url != null && !url.isBlank();
    }

    /** The store with its fallback, if there is one. */
    StoreAddress with(StoreAddress store, CommandSpec command) {
        Optional<DatabaseAddress> database = database(command);
        return database.isEmpty() ? store : PairAddress.of(store, database.get(), pair);
    }

    private Optional<DatabaseAddress> database(CommandSpec command) {
        if (!isGiven()) {
            GivenFlags.refuse(command, "There is no --fallback that it could be for", "--fallback-user", "--pair");
            return Optional.empty();
        }
        String text = String.valueOf(url);
        Optional<String> secret = StoreMixin.variable(text, System.getenv("LOCKSTEP_FALLBACK_PASSWORD"));
        Credentials login = new Credentials(Optional.ofNullable(user), secret);
        if (StoreAddress.parse(text, login, Optional.empty()) instanceof DatabaseAddress database) {
            return Optional.of(database);
        }
        throw new InvalidRequestException(
                "--fallback needs a database, which keeps the register that says which store's turn it is. Write"
                        + " jdbc:postgresql://host/database, jdbc:mysql://host/database or jdbc:mariadb://host/database.");
    }
}
