package dev.lockstep.cli;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.cli.provision.KindDeclarations;
import dev.lockstep.cli.store.Credentials;
import dev.lockstep.cli.store.StoreAddress;
import dev.lockstep.core.CallSites;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.testservers.ChildJvm;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Another process with locks: {@code hold KEY OWNER} answers when it has it, {@code queue KEY OWNER} at once. */
final class LockingChild {
    private static final Duration LONG = Duration.ofMinutes(5);

    private LockingChild() {}

    /** With a user, a password and a namespace, or empty texts where there are none. */
    static ChildJvm start(String url, String user, String password, String namespace, String... kinds)
            throws Exception {
        return ChildJvm.start(
                LockingChild.class,
                Stream.concat(Stream.of(url, user, password, namespace), Stream.of(kinds))
                        .toArray(String[]::new));
    }

    private static Optional<String> given(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    public static void main(String[] args) throws Exception {
        LockKind[] kinds = KindDeclarations.of(List.of(args).subList(4, args.length));
        StoreAddress address =
                StoreAddress.parse(args[0], new Credentials(given(args[1]), given(args[2])), given(args[3]));
        Locks locks = Locks.builder(address.open())
                .callSites(CallSites.ALWAYS)
                .kinds(kinds)
                .build();
        Kinds known = Kinds.of(kinds);
        ChildJvm.obey(words -> {
            var request = exclusive(known.parse(words[1])).as(words[2]).within(LONG);
            if (words[0].equals("queue")) {
                var unused = locks.acquireAsync(request); // whether it ever gets it is of no interest
            } else {
                locks.acquire(request);
            }
            return "done";
        });
    }
}
