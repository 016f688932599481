package dev.lockstep.etcd;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.etcd.rpc.WatchGrpc;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.EtcdCluster;
import dev.lockstep.testservers.TestServers;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A stream that was opened with a token of a user which has expired. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
class ExpiredTokenTest {
    private static final int TOKEN_SECONDS = 2;

    private final LockKey key = Tenancy.user("u1");
    private final AtomicInteger watchStreams = new AtomicInteger();

    private final class Counting implements ClientInterceptor {
        @Override
        public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
            if (method.getFullMethodName().equals(WatchGrpc.getWatchMethod().getFullMethodName())) {
                watchStreams.incrementAndGet();
            }
            return next.newCall(method, options);
        }
    }

    @Test
    @DisplayName("what waits after the token has expired watches on a new stream, and is told of the release")
    void watchesAgain() throws InterruptedException {
        try (EtcdCluster cluster = TestServers.startEtcd(1, "--auth-token-ttl", Integer.toString(TOKEN_SECONDS))) {
            Realm realm = Realm.on(cluster.url());
            Users.enable(cluster.members().get(0).address(), realm.namespace());
            try (Locks holder = realm.locks(realm.store().user("locks", "secret"));
                    Locks waiter =
                            realm.locks(realm.store().user("locks", "secret").intercepted(new Counting()))) {
                handOver(holder, waiter);
                int before = watchStreams.get();
                assertThat(before).isPositive();
                pass(Duration.ofSeconds(4 * TOKEN_SECONDS));
                Lease held = holder.acquire(exclusive(key));
                CompletableFuture<Lease> waiting = waiter.acquireAsync(exclusive(key));
                await().atMost(Duration.ofMinutes(2)).until(() -> watchStreams.get() > before);
                held.close();
                waiting.join().close();
            }
        }
    }

    private void handOver(Locks from, Locks to) {
        Lease held = from.acquire(exclusive(key));
        CompletableFuture<Lease> waiting = to.acquireAsync(exclusive(key));
        await().until(() -> watchStreams.get() > 0);
        held.close();
        waiting.join().close();
    }

    /** The server counts this time. */
    private static void pass(Duration time) throws InterruptedException {
        Thread.sleep(time.toMillis());
    }
}
