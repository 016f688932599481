package dev.lockstep.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.etcd.rpc.LeaseKeepAliveResponse;
import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When a stream of keep-alives counts as dead. */
class KeepAlivesTest {
    private static final Duration WITHIN = Duration.ofSeconds(5);
    private static final LeaseKeepAliveResponse ALIVE =
            LeaseKeepAliveResponse.newBuilder().setID(7).setTTL(10).build();

    private final FakeClock clock = new FakeClock();
    private final ScriptedMember member = new ScriptedMember(request -> Optional.empty());
    private final EtcdClient client = member.client(WITHIN);
    private final KeepAlives keepAlives = new KeepAlives(client, clock);
    private final EtcdLease lease = lease(7);

    private EtcdLease lease(long id) {
        return new EtcdLease(id, 10, 10, EtcdLease.Start.now(clock));
    }

    @AfterEach
    void close() {
        keepAlives.close();
        client.close();
    }

    private void pass(Duration time) {
        clock.advance(time);
        keepAlives.attend();
    }

    @Test
    @DisplayName("many requests at once are answered one after the other, and the last one may wait for long")
    void burst() {
        List<CompletableFuture<Boolean>> asked =
                Stream.generate(() -> keepAlives.extend(lease)).limit(4).toList();
        for (CompletableFuture<Boolean> each : asked) {
            pass(Duration.ofSeconds(4));
            assertThat(each).isNotDone();
            member.answerNext(ALIVE);
            assertThat(each).isCompletedWithValue(true);
        }
    }

    @Test
    @DisplayName("a stream that answers nothing any more is given up")
    void silence() {
        CompletableFuture<Boolean> first = keepAlives.extend(lease);
        CompletableFuture<Boolean> second = keepAlives.extend(lease);
        pass(Duration.ofSeconds(4));
        member.answerNext(ALIVE);
        assertThat(first).isCompletedWithValue(true);
        pass(Duration.ofSeconds(6));
        assertThat(second).isCompletedExceptionally();
    }

    @Test
    @DisplayName("leases are spread over groups that are renewed in calls of their own")
    void groups() {
        assertThat(LongStream.range(0, 100)
                        .map(id -> KeepAlives.groupOf(lease(id)))
                        .distinct()
                        .count())
                .isGreaterThan(4);
    }
}
