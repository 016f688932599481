package dev.lockstep.etcd;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Loses responses of a store's calls, or holds requests back, so that they are carried out later than the store believes. */
final class LossyNetwork implements ClientInterceptor {
    private enum Fate {
        ANSWERED,
        /** Carried out, but the response is lost. */
        LOST_ANSWER,
        /** The caller gets an error, and the request is sent later. */
        HELD_BACK
    }

    private final Queue<Runnable> heldBack = new ConcurrentLinkedQueue<>();
    private final AtomicInteger left = new AtomicInteger();
    private volatile Fate fate = Fate.ANSWERED;
    private volatile Predicate<MessageLite> affected = request -> false;

    /** Loses the responses to the next requests that are of this kind. */
    void loseAnswers(int count, Predicate<MessageLite> of) {
        strike(Fate.LOST_ANSWER, count, of);
    }

    /** Holds back the next requests that are of this kind. */
    void holdBack(int count, Predicate<MessageLite> of) {
        strike(Fate.HELD_BACK, count, of);
    }

    private void strike(Fate next, int count, Predicate<MessageLite> of) {
        affected = of;
        fate = next;
        left.set(count);
    }

    /** How many of them have not come yet. */
    int left() {
        return left.get();
    }

    /** Sends what was held back. */
    void deliver() {
        for (Runnable each = heldBack.poll(); each != null; each = heldBack.poll()) {
            each.run();
        }
    }

    private Fate fateOf(Object request) {
        return request instanceof MessageLite message
                        && affected.test(message)
                        && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0
                ? fate
                : Fate.ANSWERED;
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        if (method.getType() != MethodDescriptor.MethodType.UNARY) {
            return next.newCall(method, options);
        }
        return new Call<>(next.newCall(method, options.withDeadline(null)));
    }

    private static Status lost() {
        return Status.UNAVAILABLE.withDescription("the test lost the response");
    }

    private final class Call<Q, R> extends SimpleForwardingClientCall<Q, R> {
        private volatile boolean loses;
        private volatile boolean silent;
        private Listener<R> caller = new Listener<>() {};

        Call(ClientCall<Q, R> call) {
            super(call);
        }

        @Override
        public void start(Listener<R> listener, Metadata headers) {
            caller = listener;
            super.start(
                    new SimpleForwardingClientCallListener<>(listener) {
                        @Override
                        public void onMessage(R message) {
                            if (!loses && !silent) {
                                super.onMessage(message);
                            }
                        }

                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            if (!silent) {
                                super.onClose(loses ? lost() : status, trailers);
                            }
                        }
                    },
                    headers);
        }

        @Override
        public void sendMessage(Q message) {
            Fate what = fateOf(message);
            loses = what == Fate.LOST_ANSWER;
            if (what == Fate.HELD_BACK) {
                silent = true;
                heldBack.add(() -> {
                    super.sendMessage(message);
                    super.halfClose();
                });
                caller.onClose(lost(), new Metadata());
            } else {
                super.sendMessage(message);
            }
        }

        @Override
        public void halfClose() {
            if (!silent) {
                super.halfClose();
            }
        }

        @Override
        public void cancel(String message, Throwable cause) {
            if (!silent) {
                super.cancel(message, cause);
            }
        }
    }
}
