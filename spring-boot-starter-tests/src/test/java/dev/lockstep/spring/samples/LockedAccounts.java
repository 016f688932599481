package dev.lockstep.spring.samples;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.spring.Locked;
import dev.lockstep.testkit.Tenancy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.transaction.annotation.Transactional;

/** Locked methods, as the documentation shows them. */
class LockedAccounts {
    private final List<String> done = new ArrayList<>();
    private final Locks locks;

    LockedAccounts(Locks locks) {
        this.locks = locks;
    }

    record Order(String user, List<String> accounts) {}

    // tag::locked-methods
    @Locked("user:#{#user}/account:#{#account}")
    @Transactional
    public void close(String user, String account) {
        remove(user, account); // committed before another caller gets the account
    }

    @Locked(value = "user:#{#order.user}/account:#{#order.accounts}", within = "2s") // a key for each account
    public void pay(Order order) {
        order.accounts().forEach(account -> remove(order.user(), account));
    }

    @Locked(shared = "user:#{#user}", within = "${report.wait:5s}", owner = "report")
    public CompletableFuture<Integer> count(String user) {
        return CompletableFuture.supplyAsync(this::size); // held until it has completed
    }
    // end::locked-methods

    // tag::locked-token
    @Locked("user:#{#user}")
    public String pass(String user) {
        LockKey key = Tenancy.USER.key(user);
        try (Lease lease = locks.acquire(exclusive(key))) { // covered by the method's own: nothing is taken
            return "token " + lease.token();
        }
    }
    // end::locked-token

    private synchronized void remove(String user, String account) {
        done.add(user + "/" + account);
    }

    private synchronized int size() {
        return done.size();
    }

    synchronized List<String> done() {
        return List.copyOf(done);
    }
}
