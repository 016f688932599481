package dev.lockstep.etcd;

import dev.lockstep.etcd.rpc.AuthGrpc;
import dev.lockstep.etcd.rpc.AuthenticateRequest;
import dev.lockstep.etcd.rpc.KVGrpc;
import dev.lockstep.etcd.rpc.RangeRequest;
import dev.lockstep.etcd.rpc.RangeResponse;
import dev.lockstep.etcd.rpc.ResponseHeader;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls to one member at a time, and to the next one when that one fails. Each call has a deadline and is sent at most once, except when
 * the member refused it for an old token.
 */
final class EtcdClient implements AutoCloseable {
    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> REQUIRE_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

    private final Members members;
    private final CallLimit limit;
    private final Optional<EtcdAddress.Credentials> credentials;
    private final List<ClientInterceptor> interceptors;
    private final ClusterView view;
    private final AtomicReference<@Nullable CompletableFuture<String>> token = new AtomicReference<>();

    EtcdClient(
            Members members,
            CallLimit limit,
            Optional<EtcdAddress.Credentials> credentials,
            List<ClientInterceptor> interceptors,
            ClusterView view) {
        this.members = members;
        this.limit = limit;
        this.credentials = credentials;
        this.interceptors = interceptors;
        this.view = view;
    }

    CallLimit limit() {
        return limit;
    }

    ClusterView view() {
        return view;
    }

    Members members() {
        return members;
    }

    // ---- calls

    /** A linearizable read, from the next member if this one doesn't answer. */
    CompletableFuture<RangeResponse> read(RangeRequest request) {
        return linearizable(KVGrpc.getRangeMethod(), request, RangeResponse::getHeader)
                .exceptionallyCompose(error -> members.count() > 1 && EtcdErrors.isMembersFault(error)
                        ? linearizable(KVGrpc.getRangeMethod(), request, RangeResponse::getHeader)
                        : CompletableFuture.failedFuture(error));
    }

    /** A call that sees everything that was done before. */
    <Q, R> CompletableFuture<R> linearizable(
            MethodDescriptor<Q, R> method, Q request, Function<R, ResponseHeader> header) {
        long before = view.highest();
        return call(method, request).thenApply(response -> {
            view.check(header.apply(response), before);
            return response;
        });
    }

    /** A call whose response may come from a member that lags behind. */
    <Q, R> CompletableFuture<R> call(MethodDescriptor<Q, R> method, Q request) {
        return call(method, request, members.current());
    }

    /** The same, asked of one member. */
    <Q, R> CompletableFuture<R> call(MethodDescriptor<Q, R> method, Q request, int member) {
        return token().thenCompose(known -> send(method, request, member, known)
                .exceptionallyCompose(error -> known.isEmpty() || !EtcdErrors.isOldToken(error)
                        ? CompletableFuture.failedFuture(error)
                        : renewed(known).thenCompose(fresh -> send(method, request, member, fresh))));
    }

    private <Q, R> CompletableFuture<R> send(MethodDescriptor<Q, R> method, Q request, int member, String known) {
        CompletableFuture<R> response = new CompletableFuture<>();
        CallOptions options =
                CallOptions.DEFAULT.withDeadlineAfter(limit.within().toNanos(), TimeUnit.NANOSECONDS);
        ClientCalls.asyncUnaryCall(channel(member, known).newCall(method, options), request, new StreamObserver<R>() {
            @Override
            public void onNext(R value) {
                response.complete(value);
            }

            @Override
            public void onError(Throwable error) {
                if (EtcdErrors.isMembersFault(error)) {
                    members.failed(member);
                }
                response.completeExceptionally(error);
            }

            @Override
            public void onCompleted() {
                response.completeExceptionally(
                        Status.UNKNOWN.withDescription("no response").asRuntimeException());
            }
        });
        return response;
    }

    /** Opens a stream to the current member; fails through {@code responses}. */
    <Q, R> CompletableFuture<StreamObserver<Q>> stream(MethodDescriptor<Q, R> method, StreamObserver<R> responses) {
        int member = members.current();
        return token().thenApply(known -> ClientCalls.asyncBidiStreamingCall(
                channel(member, known).newCall(method, CallOptions.DEFAULT), responses));
    }

    private Channel channel(int member, String known) {
        return ClientInterceptors.intercept(
                ClientInterceptors.intercept(members.channel(member), interceptors), headers(known));
    }

    private static ClientInterceptor headers(String known) {
        return new ClientInterceptor() {
            @Override
            public <Q, R> ClientCall<Q, R> interceptCall(
                    MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
                return new ForwardingClientCall.SimpleForwardingClientCall<>(next.newCall(method, options)) {
                    @Override
                    public void start(Listener<R> listener, Metadata headers) {
                        headers.put(REQUIRE_LEADER, "true");
                        if (!known.isEmpty()) {
                            headers.put(TOKEN, known);
                        }
                        super.start(listener, headers);
                    }
                };
            }
        };
    }

    // ---- the user's token

    /** Empty if no user is set. */
    private CompletableFuture<String> token() {
        return credentials.isEmpty() ? CompletableFuture.completedFuture("") : renewed("");
    }

    /** A token other than this one, which was refused. Asked for once, however many calls need it. */
    private CompletableFuture<String> renewed(String refused) {
        while (true) {
            CompletableFuture<String> known = token.get();
            if (known != null && !isUseless(known, refused)) {
                return known;
            }
            CompletableFuture<String> next = new CompletableFuture<>();
            if (token.compareAndSet(known, next)) {
                CompletionStage<?> unused = authenticate().whenComplete((text, error) -> {
                    if (error == null) {
                        next.complete(text);
                    } else {
                        next.completeExceptionally(EtcdErrors.causeOf(error));
                    }
                });
                return next;
            }
        }
    }

    private static boolean isUseless(CompletableFuture<String> known, String refused) {
        return known.isCompletedExceptionally()
                || (known.isDone() && !refused.isEmpty() && refused.equals(known.join()));
    }

    /** A stream ended with this error: the next one begins with a new token if the old one was the reason. */
    void streamEnded(int member, Throwable error) {
        if (EtcdErrors.isMembersFault(error)) {
            members.failed(member);
        } else if (EtcdErrors.isOldToken(error)) {
            token.set(null);
        }
    }

    private CompletableFuture<String> authenticate() {
        EtcdAddress.Credentials user = credentials.orElseThrow();
        AuthenticateRequest request = AuthenticateRequest.newBuilder()
                .setName(user.user())
                .setPassword(user.password())
                .build();
        return send(AuthGrpc.getAuthenticateMethod(), request, members.current(), "")
                .thenApply(response -> response.getToken());
    }

    @Override
    public void close() {
        members.close();
    }
}
