package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.redis.connection.Namespace;
import dev.lockstep.testkit.Tenancy;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** When the requests of a process ask whether they are still queued. */
class HeartbeatsTest {
    private static final LockKey KEY = Tenancy.user("u1");

    private final Clock clock = new Clock();
    private final Server server = new Server();
    private final Request first = new Request();
    private final Request second = new Request();
    private final Partition partition = Partitions.one(new Namespace("heartbeats"), Duration.ofSeconds(30))
            .all()
            .get(0);
    private final Heartbeats heartbeats =
            new Heartbeats(server, "p", Duration.ofSeconds(5), Duration.ofSeconds(2), clock, lease -> {});

    private void join() {
        heartbeats.joined(partition, KEY, first);
        heartbeats.joined(partition, KEY, second);
    }

    private void sendAfter(Duration pause) {
        clock.nanos += pause.toNanos();
        heartbeats.send();
    }

    @Test
    void onlyTheFirstAsksWhileHeartbeatsAreRegular() {
        join();
        for (int i = 0; i < 10; i++) {
            sendAfter(Duration.ofSeconds(1));
        }
        assertThat(first.asked).isEqualTo(10);
        assertThat(second.asked).isZero();
    }

    /** A new request may have made the server believe that all is well. */
    @Test
    void allAskAfterThisProcessStoodStill() {
        join();
        sendAfter(Duration.ofSeconds(1));
        sendAfter(Duration.ofSeconds(6));
        assertThat(second.asked).isEqualTo(1);
        sendAfter(Duration.ofSeconds(1));
        assertThat(second.asked).isEqualTo(1);
    }

    @Test
    void allAskAfterThisProcessStoodStillBeforeTheFirstHeartbeat() {
        join();
        sendAfter(Duration.ofSeconds(6));
        assertThat(second.asked).isEqualTo(1);
    }

    @Test
    void allAskAfterAReplyWasLost() {
        join();
        sendAfter(Duration.ofSeconds(1));
        LeaseCalls calls =
                new LeaseCalls(server, "p", clock, (lease, token, nanos, millis) -> {}, heartbeats::doubt, () -> false);
        server.reply = CompletableFuture.failedStage(new RedisConnectionException("broken"));
        LockPlan plan = LockPlan.of(LockRequest.exclusive(KEY));
        assertThat(calls.release(List.of(new Slice("lease", partition, plan)))).isCompletedWithValue(false);
        server.reply = Server.KEPT;
        sendAfter(Duration.ofSeconds(1));
        assertThat(second.asked).isEqualTo(1);
    }

    private static final class Request implements Heartbeats.Queued {
        private int asked;

        @Override
        public void ask() {
            asked++;
        }

        @Override
        public void askIfIdle() {
            asked++;
        }
    }

    private static final class Clock implements LockClock {
        private long nanos;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long millis() {
            return 0;
        }

        @Override
        public void park(Object blocker, long nanos) {
            throw new UnsupportedOperationException();
        }
    }

    /** Keeps all places, at first. */
    private static final class Server implements Servers {
        private static final CompletionStage<List<Object>> KEPT = CompletableFuture.completedStage(List.of(1L, ""));

        private CompletionStage<List<Object>> reply = KEPT;

        @Override
        public CompletionStage<List<Object>> call(Partition partition, Script script, String... arguments) {
            return reply;
        }

        @Override
        public <T> CompletionStage<T> send(
                Partition partition, Function<RedisAsyncCommands<String, String>, CompletionStage<T>> command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object serverOf(Partition partition) {
            return this;
        }

        @Override
        public CompletionStage<StatefulRedisPubSubConnection<String, String>> listen() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ResponseLimit answers() {
            return new ResponseLimit("a test", Duration.ofSeconds(3));
        }

        @Override
        public void attend() {}

        @Override
        public void close() {}
    }
}
