package dev.lockstep.cli;

import dev.lockstep.cli.locks.LockReport;
import dev.lockstep.cli.locks.LockReportJson;
import dev.lockstep.cli.locks.LockReportText;
import dev.lockstep.cli.locks.PairSnapshotSource;
import dev.lockstep.cli.locks.ServerSnapshotSource;
import dev.lockstep.cli.locks.SnapshotSource;
import dev.lockstep.cli.store.MemoryAddress;
import dev.lockstep.cli.store.PairAddress;
import dev.lockstep.cli.store.RedisAddress;
import dev.lockstep.cli.store.StoreAddress;
import dev.lockstep.cli.terminal.Json;
import dev.lockstep.cli.terminal.Mark;
import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.spi.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lockstep locks}: who holds and who waits, in all processes. */
@Command(
        name = "locks",
        description = {
            "Shows who holds which lock and who waits behind whom, in all processes that use the store. It takes no lock and"
                    + " changes nothing.",
            "Modes: X exclusive, S shared; IX, IS: something inside is held exclusively, shared; SIX: S and IX."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  lockstep locks --store jdbc:postgresql://localhost/app --user app --password --watch",
            "  lockstep locks --store redis://localhost:6379 --namespace orders --kind account --json",
            "  lockstep locks --store redis://localhost:6379 --watch=10 >> locks.log",
            "  lockstep locks --store redis://localhost:6379 --fallback jdbc:postgresql://localhost/app --fallback-user app",
            "  lockstep locks --server http://127.0.0.1:7070 --watch"
        })
final class LocksCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private StoreMixin store = new StoreMixin();

    @Mixin
    private FallbackMixin fallback = new FallbackMixin();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "Ask a running server instead of a store, such as http://127.0.0.1:7070.")
    private @Nullable String server;

    @Mixin
    private TokenMixin token = new TokenMixin();

    @Option(
            names = {"-w", "--watch"},
            paramLabel = "SECONDS",
            arity = "0..1",
            fallbackValue = "1",
            description =
                    "Look again and again, every second by default, until Ctrl-C: on a terminal the screen is drawn anew, elsewhere it is added to.")
    private @Nullable Double seconds;

    @Option(
            names = "--kind",
            paramLabel = "NAME",
            description = "Only locks of this kind; may be given more than once.")
    private List<String> kinds = List.of();

    @Option(names = "--json", description = "Print JSON, with whole lease ids; with --watch one line for each look.")
    private boolean json;

    LocksCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        requireUsableTime();
        if (server != null) {
            GivenFlags.refuse(
                    spec,
                    "--server asks a server, which has its own store",
                    "--store",
                    "--user",
                    "--password",
                    "--password-file",
                    "--namespace",
                    "--fallback",
                    "--fallback-user",
                    "--pair");
            ServerSnapshotSource sight = ServerSnapshotSource.at(server, token.token());
            return show(sight.toString(), sight, List::of).number();
        }
        GivenFlags.refuse(
                spec, "A token is for a server, and without --server a store is asked", "--token", "--token-file");
        return ofStore();
    }

    private int ofStore() {
        try (StoreAddress address = fallback.with(store.address(), spec)) {
            if (address instanceof PairAddress pair) {
                return ofPair(pair);
            }
            if (address instanceof MemoryAddress) {
                throw new InvalidRequestException(
                        "Locks in memory are seen only inside the process that holds them: call"
                                + " locks.snapshot() there. Name a database or Redis to look at, or a server with --server.");
            }
            try (LockStore open = address.open()) {
                return show(address.toString(), new StoreSight(open, address), () -> blind(address))
                        .number();
            }
        }
    }

    /** Sees what a store shows. */
    private record StoreSight(LockStore store, StoreAddress address) implements SnapshotSource {
        @Override
        public LockReport look() {
            return LockReport.of(store.snapshot());
        }

        @Override
        public Optional<Set<String>> kinds() {
            return address.recordedKinds();
        }
    }

    private static void requireNamespace(StoreAddress address) {
        if (address instanceof RedisAddress redis && redis.isNewNamespace()) {
            throw new InvalidRequestException(
                    "Redis knows no namespace '" + redis.namespace()
                            + "' of locks: no process has used it, or Redis was emptied. Give the application's with --namespace NAME.");
        }
    }

    private int ofPair(PairAddress pair) {
        try (PairSnapshotSource sight = new PairSnapshotSource(pair)) {
            return show(pair.toString(), sight, List::of).number();
        }
    }

    private static List<Finding> blind(StoreAddress address) {
        requireNamespace(address);
        return address.examineSight().findings().stream()
                .filter(finding -> !finding.whatToDo().isBlank())
                .toList();
    }

    private ExitCode show(String where, SnapshotSource sight, Supplier<List<Finding>> examine) {
        LockReport all = sight.look();
        requireKnownKinds(all, sight);
        List<Finding> blind = examine.get(); // after the look, whose errors say more
        LockReport seen = blind.isEmpty() ? all : all.incomplete();
        LockReport first = seen.ofKinds(kinds);
        if (seconds == null) {
            print(first);
            blind.forEach(this::warn);
            return first.isEmpty() && !first.complete() ? ExitCode.UNSEEN : ExitCode.OK;
        }
        Duration interval = Duration.ofMillis(Math.round(seconds * 1_000));
        return new LocksWatch(terminal, where, sight, kinds, json, blind).run(interval, first);
    }

    /** A kind that is spelled wrong must not look like one that is free. */
    private void requireKnownKinds(LockReport seen, SnapshotSource sight) {
        List<String> unseen =
                kinds.stream().filter(each -> !seen.mentions(each)).toList();
        if (unseen.isEmpty()) {
            return;
        }
        sight.kinds()
                .ifPresent(known -> unseen.stream()
                        .filter(each -> !known.contains(each))
                        .findFirst()
                        .ifPresent(kind -> {
                            throw new InvalidRequestException("--kind " + kind + " is not known there. Known are: "
                                    + (known.isEmpty() ? "none yet" : String.join(", ", known)) + ".");
                        }));
    }

    /** Before the store is asked: a wrong flag is wrong whether or not the store is there. */
    private void requireUsableTime() {
        if (seconds != null && !(seconds >= 0.1 && seconds <= 86_400)) {
            throw new InvalidRequestException("--watch=" + seconds + " is no usable time. Give 0.1 to 86400 seconds.");
        }
    }

    private void print(LockReport look) {
        if (json) {
            terminal.out().println(Json.of(LockReportJson.of(look)));
        } else {
            LockReportText.lines(look, terminal).forEach(terminal.out()::println);
        }
    }

    private void warn(Finding finding) {
        terminal.err().println();
        warning(finding, terminal.forErrors()).forEach(terminal.err()::println);
    }

    static List<String> warning(Finding finding, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        lines.add(terminal.mark(Mark.DOUBTFUL) + " " + finding.what());
        lines.add("  " + finding.whatToDo());
        return lines;
    }
}
