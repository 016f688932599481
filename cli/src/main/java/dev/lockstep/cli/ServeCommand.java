package dev.lockstep.cli;

import dev.lockstep.cli.provision.KindDeclarations;
import dev.lockstep.cli.serve.Greeting;
import dev.lockstep.cli.serve.Listening;
import dev.lockstep.cli.serve.Rehearsal;
import dev.lockstep.cli.serve.Serving;
import dev.lockstep.cli.serve.StartedServer;
import dev.lockstep.cli.serve.Storing;
import dev.lockstep.cli.store.Credentials;
import dev.lockstep.cli.store.DatabaseAddress;
import dev.lockstep.cli.store.EtcdClusterAddress;
import dev.lockstep.cli.store.MemoryAddress;
import dev.lockstep.cli.store.PairAddress;
import dev.lockstep.cli.store.RedisAddress;
import dev.lockstep.cli.store.StoreAddress;
import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lockstep serve}: locks and stock over HTTP, and the live page. */
@Command(
        name = "serve",
        description = {
            "Runs the server: locks and stock over HTTP, and a live page that shows who holds what and who waits for whom.",
            "Without --store locks are in the memory of this process, and stock is in files of the data folder. With --demo"
                    + " simulated workers keep the page alive, and nothing stays."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Variables: LOCKSTEP_STORE, LOCKSTEP_PASSWORD, LOCKSTEP_FALLBACK_URL, LOCKSTEP_FALLBACK_PASSWORD,",
            "LOCKSTEP_INVENTORY, LOCKSTEP_INVENTORY_PASSWORD, LOCKSTEP_TOKEN, LOCKSTEP_TOKEN_FILE,",
            "LOCKSTEP_TOKENS_FILE, LOCKSTEP_LEASES.",
            "",
            "Examples:",
            "  lockstep serve --demo",
            "  lockstep serve --store jdbc:postgresql://localhost/app --user app --password --kind user:0",
            "  lockstep serve --store jdbc:mysql://localhost/app --user app --password \\",
            "      --kind user:0 --kind account:1:user --provision",
            "  lockstep serve --store redis://localhost:6379 --fallback jdbc:postgresql://localhost/app \\",
            "      --fallback-user app --kind user:0",
            "  export LOCKSTEP_TOKEN=$(openssl rand -hex 32); echo $LOCKSTEP_TOKEN",
            "  lockstep serve --host 0.0.0.0 --store redis://localhost:6379"
        })
final class ServeCommand implements Callable<Integer> {
    /** Longer than the server gives its clients. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Terminal terminal;

    @Mixin
    private StoreMixin store = new StoreMixin();

    @Mixin
    private FallbackMixin fallback = new FallbackMixin();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--port", description = "Where it listens, ${DEFAULT-VALUE} by default; 0: any free port.")
    private int port = 7070;

    @Option(
            names = "--host",
            description =
                    "The address that it listens on, ${DEFAULT-VALUE} by default. Others than loopback need a token.")
    private String host = "127.0.0.1";

    @Option(
            names = "--known-as",
            paramLabel = "NAME",
            description =
                    "A further name by which clients call it, such as locks.example.org; may be given more than once.")
    private List<String> names = List.of();

    @Mixin
    private TokenMixin token = new TokenMixin();

    @Option(
            names = "--tokens-file",
            paramLabel = "FILE",
            defaultValue = "${env:LOCKSTEP_TOKENS_FILE}",
            description = {
                "Tokens with fewer rights, one a line: its right (read, use or admin), a name for the log, and the token.",
                "It is read again when it changes. The token of --token and LOCKSTEP_TOKEN has all rights."
            })
    private @Nullable Path tokensFile;

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description =
                    "A PEM file with the certificate and its chain: the server then speaks https only. Needs --tls-key.")
    private @Nullable Path tlsCertificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "A PEM file with the private key of the certificate.")
    private @Nullable Path tlsKey;

    @Option(
            names = "--inventory",
            paramLabel = "URL",
            defaultValue = "${env:LOCKSTEP_INVENTORY}",
            description =
                    "Another database for the stock. Without it stock is in the database of --store, or in the data folder.")
    private @Nullable String inventory;

    @Option(
            names = "--inventory-user",
            paramLabel = "USER",
            description =
                    "Its user, unless the URL names it; the variable LOCKSTEP_INVENTORY_PASSWORD has the password.")
    private @Nullable String inventoryUser;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "The data folder, ${DEFAULT-VALUE} by default; made if it is missing.")
    private Path data = Path.of("lockstep-data");

    @Option(
            names = "--kind",
            paramLabel = "NAME:RANK[:PARENT][:leaf]",
            description = {
                "A kind that can be locked; once for each, and then no others. Needed on databases.",
                "Without any: all kinds, in the order of depth and name."
            })
    private List<String> kinds = List.of();

    @Option(
            names = "--provision",
            description = "Make missing tables and rows at the start, on MySQL and MariaDB: 100,000 rows a kind.")
    private boolean provision;

    @Option(
            names = "--leases",
            paramLabel = "N",
            defaultValue = "${env:LOCKSTEP_LEASES:-" + Storing.USUAL_LEASES + "}",
            description =
                    "On a database: how many leases there may be at a time, ${DEFAULT-VALUE} by default. Each takes a connection"
                            + " while it is held; the database must allow some more than that.")
    private int leases;

    @Option(
            names = "--create-namespace",
            description =
                    "On Redis: this namespace is new, so locks are granted at once. Never for one that is or was in use: leases that"
                            + " Redis has forgotten would be granted twice.")
    private boolean createNamespace;

    @Option(
            names = "--node",
            paramLabel = "NAME",
            description =
                    "The name of this server among several on one store, which no other of them has. By default a random one; needed with --peer.")
    private @Nullable String node;

    @Option(
            names = "--peer",
            paramLabel = "NAME=URL",
            description = "Another server on the same store, such as b=http://10.0.0.2:7070; once for each.")
    private Map<String, String> peers = new LinkedHashMap<>();

    @Option(names = "--demo", description = "Simulated workers take locks and sell stock, which is in memory.")
    private boolean demo;

    /** For the script, which makes an archive of the classes that a start needs. */
    @Option(names = "--rehearse", hidden = true)
    private boolean rehearse;

    ServeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (StoreAddress address = fallback.with(store.addressOrMemory(), spec);
                OrderlyEnd end = OrderlyEnd.within(PATIENCE, () -> {})) {
            refuseUnused(address);
            return run(serving(address), end).number();
        }
    }

    private void refuseUnused(StoreAddress address) {
        if (address.whyNothingToProvision().isPresent()) {
            GivenFlags.refuse(spec, "Only locks on MySQL and MariaDB need rows", "--provision");
        }
        if (!(address instanceof RedisAddress)) {
            GivenFlags.refuse(spec, "Only Redis has namespaces that must be created", "--create-namespace");
        }
        if (address instanceof MemoryAddress
                || address instanceof RedisAddress
                || address instanceof EtcdClusterAddress) {
            GivenFlags.refuse(spec, "Leases take connections on a database only", "--leases");
        }
        if (address instanceof MemoryAddress) {
            GivenFlags.refuse(spec, "Locks in memory can't be shared with another server", "--peer");
        }
        if (demo || address instanceof DatabaseAddress || isOnDatabase(address)) {
            GivenFlags.refuse(spec, "With --demo, or with locks on a database, there is no data folder", "--data");
        }
        if (given(inventory).isEmpty()) {
            GivenFlags.refuse(spec, "There is no --inventory whose user it could be", "--inventory-user");
        }
    }

    private static boolean isOnDatabase(StoreAddress address) {
        return address instanceof PairAddress pair && pair.primary() instanceof DatabaseAddress;
    }

    private Serving serving(StoreAddress address) {
        Credentials stock =
                new Credentials(Optional.ofNullable(inventoryUser), StoreMixin.variable(text(inventory), secret()));
        return new Serving(
                new Listening(host, port, token.token().orElse(null), tokensFile(), tls(), names),
                new Storing(address, store.namespace(), given(inventory), stock, data, leases, demo),
                List.of(KindDeclarations.of(kinds)),
                node,
                peers,
                provision,
                demo,
                store.isVerbose());
    }

    private Optional<Listening.Tls> tls() {
        if ((tlsCertificate == null) != (tlsKey == null)) {
            throw new InvalidRequestException(
                    "--tls-certificate and --tls-key belong together. Give both, or neither.");
        }
        return tlsCertificate == null || tlsKey == null
                ? Optional.empty()
                : Optional.of(new Listening.Tls(tlsCertificate, tlsKey));
    }

    private @Nullable Path tokensFile() {
        return tokensFile == null || tokensFile.toString().isEmpty() ? null : tokensFile.toAbsolutePath();
    }

    private static @Nullable String secret() {
        return System.getenv("LOCKSTEP_INVENTORY_PASSWORD");
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    private static Optional<String> given(@Nullable String value) {
        return Optional.ofNullable(value).filter(text -> !text.isBlank());
    }

    private ExitCode run(Serving serving, OrderlyEnd end) {
        Map<String, Object> properties = serving.properties();
        serving.storing().requireAnswer();
        boolean newNamespace = serving.storing().isNewNamespace();
        if (newNamespace && createNamespace && serving.storing().locks() instanceof RedisAddress redis) {
            redis.createNamespace();
            newNamespace = false;
        }
        try (StartedServer server = StartedServer.with(properties)) {
            if (rehearse) {
                Rehearsal.of(serving.listening().page(server.port()));
                return ExitCode.OK;
            }
            Greeting.lines(serving, server.port(), newNamespace, terminal).forEach(terminal.out()::println);
            terminal.out().flush();
            new CountDownLatch(1).await(); // until Ctrl-C or a kill
        } catch (InterruptedException e) {
            terminal.out().println("Stopped.");
        } catch (LockException e) {
            if (!end.isAsked()) {
                throw e;
            }
        }
        return ExitCode.INTERRUPTED;
    }
}
