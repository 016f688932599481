package dev.lockstep.cli;

import dev.lockstep.cli.provision.KindDeclarations;
import dev.lockstep.cli.store.MemoryAddress;
import dev.lockstep.cli.store.StoreAddress;
import dev.lockstep.client.HttpLockStore;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.server.locks.keys.KeyReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of a command that locks: where, what, and for how long. */
final class LockingMixin {
    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "Lock over a running server instead of a store, such as http://127.0.0.1:7070.")
    private @Nullable String server;

    @Option(
            names = "--kind",
            paramLabel = "NAME:RANK[:PARENT]",
            description =
                    "Declares a kind as the applications do; may be given more than once. Without any, kinds are ranked by depth and name, as on a server.")
    private List<String> kinds = List.of();

    @Option(names = "--shared", description = "Lock it shared: others may, too, but not exclusively.")
    private boolean shared;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            description = "How long to wait for the lock; 0 doesn't wait. Without it, as long as it takes.")
    private @Nullable Double wait;

    @Option(
            names = "--term",
            paramLabel = "SECONDS",
            description =
                    "How long the lock outlives a process that was killed, where the store doesn't notice; ${DEFAULT-VALUE} by default.")
    private double term = 10;

    @Option(names = "--owner", paramLabel = "NAME", description = "Who holds it, for people to read.")
    private @Nullable String owner;

    /** Open locks, which close with it. */
    record Place(Locks locks, Runnable rest) implements AutoCloseable {
        @Override
        public void close() {
            try {
                locks.close();
            } finally {
                rest.run();
            }
        }
    }

    /** The request for a key; checked before anything is opened. */
    LockRequest request(String key, String usualOwner) {
        Seconds.positive("--term", term);
        LockKey read = kinds.isEmpty()
                ? KeyReader.open().parse(key)
                : Kinds.of(KindDeclarations.of(kinds)).parse(key);
        LockRequest request = (shared ? LockRequest.shared(read) : LockRequest.exclusive(read))
                .as(owner == null ? usualOwner : owner);
        return waiting(request, wait == null ? Optional.empty() : Optional.of(Seconds.of("--wait", wait)));
    }

    private static LockRequest waiting(LockRequest request, Optional<Duration> wait) {
        if (wait.isEmpty()) {
            return request.withoutLimit();
        }
        return wait.get().isZero() ? request.withoutWaiting() : request.within(wait.get());
    }

    /** Opens the locks of the server, or else of the store. */
    Place open(StoreMixin store, TokenMixin token, CommandSpec spec) {
        Duration length = Seconds.positive("--term", term);
        if (server != null) {
            GivenFlags.refuse(
                    spec,
                    "--server locks over a server, which has its own store",
                    "--store",
                    "--user",
                    "--password",
                    "--password-file",
                    "--namespace");
            store.prepareLogs();
            return new Place(
                    Locks.builder(ofServer(server, token)).defaultTerm(length).build(), () -> {});
        }
        GivenFlags.refuse(
                spec, "A token is for a server, and without --server a store is asked", "--token", "--token-file");
        StoreAddress address = store.address();
        if (address instanceof MemoryAddress) {
            throw new InvalidRequestException(
                    "A lock in memory is seen by this process only, so it would exclude no other command. Name a database or"
                            + " Redis with --store, or a server with --server.");
        }
        return new Place(Locks.builder(address.open()).defaultTerm(length).build(), address::close);
    }

    private static HttpLockStore ofServer(String url, TokenMixin token) {
        HttpLockStore store = HttpLockStore.at(url);
        return token.token().map(store::token).orElse(store);
    }
}
