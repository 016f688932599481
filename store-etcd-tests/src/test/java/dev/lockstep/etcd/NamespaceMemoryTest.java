package dev.lockstep.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import dev.lockstep.etcd.NamespaceMemory.TokenGeneration;
import dev.lockstep.etcd.rpc.KeyValue;
import dev.lockstep.etcd.rpc.LeaseGrantRequest;
import dev.lockstep.etcd.rpc.RangeResponse;
import dev.lockstep.etcd.rpc.ResponseHeader;
import dev.lockstep.etcd.rpc.ResponseOp;
import dev.lockstep.etcd.rpc.TxnResponse;
import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a process makes of the namespace's record. */
class NamespaceMemoryTest {
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final ResponseHeader HEADER =
            ResponseHeader.newBuilder().setClusterId(9).setRevision(100).build();

    private final EtcdNamespace namespace = new EtcdNamespace("orders");
    private final FakeClock clock = new FakeClock();
    private final List<MessageLite> asked = new ArrayList<>();
    private volatile Runnable beforeAnswer = () -> {};
    private final EtcdClient client = new ScriptedMember(this::answer).client(Duration.ofSeconds(5));
    private final NamespaceMemory memory = new NamespaceMemory(
            client,
            new LeasePool(client, new KeepAlives(client, clock), clock),
            namespace,
            LONGEST,
            clock,
            () -> CompletableFuture.completedStage(null));

    private Optional<MessageLite> answer(MessageLite request) {
        asked.add(request);
        Runnable before = beforeAnswer;
        beforeAnswer = () -> {};
        before.run();
        return request instanceof LeaseGrantRequest ? Optional.empty() : Optional.of(record());
    }

    /** The record of a namespace in which locks are granted. */
    private TxnResponse record() {
        KeyValue state = KeyValue.newBuilder()
                .setModRevision(3)
                .setValue(new NamespaceState("g", 0, LONGEST.toMillis(), HEADER.getClusterId()).text())
                .build();
        return TxnResponse.newBuilder()
                .setHeader(HEADER)
                .setSucceeded(true)
                .addResponses(range(RangeResponse.newBuilder().addKvs(state)))
                .addResponses(range(RangeResponse.newBuilder()))
                .build();
    }

    private static ResponseOp range(RangeResponse.Builder range) {
        return ResponseOp.newBuilder().setResponseRange(range).build();
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    @DisplayName("the record is read once, and again after something else was found")
    void known() {
        assertThat(memory.current().join().id()).isEqualTo("g");
        assertThat(memory.current().join().revision()).isEqualTo(3);
        assertThat(asked).hasSize(1);
        assertThat(memory.look().join().id()).isEqualTo("g");
        assertThat(asked).hasSize(2);
    }

    @Test
    @DisplayName("a loss that is noticed while the record is read begins a quiet time all the same")
    void lossDuringRead() {
        beforeAnswer = () -> memory.lost("another cluster answered");
        CompletableFuture<TokenGeneration> found = memory.current();
        assertThat(asked).anyMatch(LeaseGrantRequest.class::isInstance); // for as long as nothing is granted
        assertThat(found).isCompletedExceptionally(); // that call failed here
        assertThat(memory.isKnown(new TokenGeneration("g", 0, 3))).isFalse();
    }
}
