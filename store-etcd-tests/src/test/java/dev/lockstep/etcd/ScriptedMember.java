package dev.lockstep.etcd;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A member that answers as a test says, without a network. A unary request for which it has no answer fails. */
final class ScriptedMember implements ClientInterceptor {
    private final Function<MessageLite, Optional<MessageLite>> answers;
    private final Queue<Consumer<MessageLite>> unanswered = new ArrayDeque<>();

    /** {@code answers} answers unary requests; those on streams wait for {@link #answerNext}. */
    ScriptedMember(Function<MessageLite, Optional<MessageLite>> answers) {
        this.answers = answers;
    }

    EtcdClient client(Duration answerWithin) {
        return new EtcdClient(
                new Members(List.of("127.0.0.1:1"), InsecureChannelCredentials.create(), answerWithin),
                new CallLimit("the script", answerWithin),
                Optional.empty(),
                List.of(this),
                new ClusterView(evidence -> {}));
    }

    /** Answers the oldest request on any stream. */
    void answerNext(MessageLite answer) {
        unanswered.remove().accept(answer);
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        boolean unary = method.getType() == MethodDescriptor.MethodType.UNARY;
        return new ClientCall<>() {
            private Listener<R> caller = new Listener<>() {};

            @Override
            public void start(Listener<R> listener, Metadata headers) {
                caller = listener;
            }

            @Override
            public void sendMessage(Q message) {
                if (unary) {
                    end(answers.apply((MessageLite) message));
                } else {
                    unanswered.add(this::deliver);
                }
            }

            private void end(Optional<MessageLite> answer) {
                answer.ifPresent(this::deliver);
                caller.onClose(answer.isPresent() ? Status.OK : Status.UNAVAILABLE, new Metadata());
            }

            @SuppressWarnings("unchecked") // the test answers with what the method returns
            private void deliver(MessageLite answer) {
                caller.onMessage((R) answer);
            }

            @Override
            public void request(int count) {}

            @Override
            public void cancel(@Nullable String message, @Nullable Throwable cause) {}

            @Override
            public void halfClose() {}
        };
    }
}
