package dev.lockstep.cli;

import dev.lockstep.cli.store.Credentials;
import dev.lockstep.cli.store.StoreAddress;
import dev.lockstep.core.InvalidRequestException;
import java.io.Console;
import java.nio.file.Path;
import java.util.Optional;
import java.util.logging.LogManager;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The options of every command that talks to a store. */
final class StoreMixin {
    private static final String LOG_LEVEL = "lockstep.log";
    private static final String VERBOSE = "--verbose";
    private static final String ASK = "\0"; // no command line can have it
    private static final Pattern HAS_PASSWORD = Pattern.compile("(?is)[?&,(]password=|//[^/?]*:[^?]*@");

    @Option(
            names = {"-s", "--store"},
            paramLabel = "URL",
            defaultValue = "${env:LOCKSTEP_STORE}",
            description = {
                "Which store: memory, a JDBC URL of MySQL, MariaDB or PostgreSQL, redis://host:6379 (rediss: with TLS),"
                        + " redis-cluster://host1:6379,host2:6379, or etcd://host1:2379,host2:2379 (etcds: with TLS).",
                "Else the variable LOCKSTEP_STORE says it, where a password isn't seen in the list of processes."
            })
    private @Nullable String url;

    @Option(
            names = {"-u", "--user"},
            description = "The user of the database, unless the URL names it.")
    private @Nullable String user;

    @Option(
            names = {"-p", "--password"},
            arity = "0..1",
            fallbackValue = ASK,
            paramLabel = "PASSWORD",
            description =
                    "The password, unless the URL or the variable LOCKSTEP_PASSWORD has it; without a value it is asked for.")
    private @Nullable String password;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            defaultValue = "${env:LOCKSTEP_PASSWORD_FILE}",
            description = "A file whose first line is the password; the variable LOCKSTEP_PASSWORD_FILE names it, too.")
    private @Nullable Path passwordFile;

    @Option(names = "--namespace", description = "The namespace of the locks, on PostgreSQL, Redis and etcd.")
    private @Nullable String namespace;

    @Option(names = VERBOSE, description = "Show the log, and a stack trace with an error.")
    private boolean verbose;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    /** Whether a store was named. */
    boolean isGiven() {
        return url != null && !url.isBlank();
    }

    /** The store that was named, or the memory of this process. Warnings are logged. */
    StoreAddress addressOrMemory() {
        if (isGiven()) {
            StoreAddress address = address();
            quiet("WARN");
            return address;
        }
        quiet("WARN");
        return StoreAddress.parse("memory", credentials(), Optional.ofNullable(namespace));
    }

    private void quiet(String level) {
        if (!verbose) {
            System.setProperty(LOG_LEVEL, level);
        }
    }

    boolean isVerbose() {
        return verbose;
    }

    Optional<String> namespace() {
        return Optional.ofNullable(namespace);
    }

    /** The store that was named. */
    StoreAddress address() {
        if (!isGiven()) {
            throw new InvalidRequestException(
                    "Which store? Write --store URL, or set the variable LOCKSTEP_STORE. A URL is"
                            + " memory, jdbc:mysql://host/database, jdbc:mariadb://host/database, jdbc:postgresql://host/database,"
                            + " redis://host:6379, redis-cluster://host1:6379,host2:6379 or etcd://host1:2379,host2:2379.");
        }
        prepareLogs();
        return StoreAddress.parse(url == null ? "" : url, credentials(), Optional.ofNullable(namespace));
    }

    /** Before a driver is used. */
    void prepareLogs() {
        if (verbose) {
            System.setProperty(LOG_LEVEL, "INFO"); // read when the first logger is made
        } else {
            LogManager.getLogManager().reset(); // some drivers log past logback
        }
    }

    private Credentials credentials() {
        return new Credentials(Optional.ofNullable(user), password());
    }

    /** A flag wins over the URL, and both over the variables. */
    private Optional<String> password() {
        if (GivenFlags.first(command, "--password", "--password-file") && password != null) {
            return Optional.of(password.equals(ASK) ? asked(System.console()) : password);
        }
        boolean wins = GivenFlags.isGiven(command, "--password-file") || !hasPassword(String.valueOf(url));
        if (wins && passwordFile != null && !passwordFile.toString().isEmpty()) {
            return Optional.of(SecretFile.read("--password-file", passwordFile));
        }
        return variable(String.valueOf(url), System.getenv("LOCKSTEP_PASSWORD"));
    }

    private static boolean hasPassword(String url) {
        return HAS_PASSWORD.matcher(url).find();
    }

    /** A variable that is set for another store must not go to one whose URL has a password. */
    static Optional<String> variable(String url, @Nullable String value) {
        return hasPassword(url) ? Optional.empty() : Optional.ofNullable(value);
    }

    /** Only where a person sits: elsewhere the question would get lost in a file, and the answer be seen. */
    private static String asked(@Nullable Console console) {
        char @Nullable [] typed = console == null ? null : console.readPassword("Password: ");
        if (typed == null) {
            throw new InvalidRequestException(
                    "--password without a value asks for the password, and here is no terminal to ask"
                            + " on. Set the variable LOCKSTEP_PASSWORD instead.");
        }
        return new String(typed);
    }

    static boolean isVerbose(ParseResult parsed) {
        return parsed.asCommandLineList().stream()
                .flatMap(command -> command.getParseResult().matchedOptions().stream())
                .filter(option -> VERBOSE.equals(option.longestName()))
                .findFirst()
                .map(ArgSpec::getValue)
                .map(Boolean.TRUE::equals)
                .orElse(false);
    }
}
