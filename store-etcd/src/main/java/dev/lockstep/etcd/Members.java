package dev.lockstep.etcd;

import io.grpc.ChannelCredentials;
import io.grpc.ConnectivityState;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The members of the cluster, a connection to each that is used, and which of them is asked now. */
final class Members implements AutoCloseable {
    private static final int LARGEST_RESPONSE = 64 << 20;
    private static final int PING_SECONDS = 10; // a member refuses those that are closer together than 5 s

    private final List<ManagedChannel> channels;
    private final AtomicInteger chosen;

    Members(List<String> addresses, ChannelCredentials credentials, Duration within) {
        channels = addresses.stream()
                .map(address -> Grpc.newChannelBuilder("dns:///" + address, credentials)
                        .maxInboundMessageSize(LARGEST_RESPONSE)
                        .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
                        .keepAliveTimeout(within.toMillis(), TimeUnit.MILLISECONDS)
                        .disableRetry() // a call is sent once: what may have been applied is for the caller to find out
                        .directExecutor() // nothing that handles responses blocks
                        .build())
                .toList();
        chosen = new AtomicInteger(ThreadLocalRandom.current().nextInt(channels.size()));
    }

    /** The number of the member that is asked now. */
    int current() {
        return chosen.get();
    }

    int count() {
        return channels.size();
    }

    ManagedChannel channel(int member) {
        return channels.get(member);
    }

    /** This member did not answer: the next one is asked from now on. Returns whether that changes anything. */
    boolean failed(int member) {
        return channels.size() > 1 && chosen.compareAndSet(member, (member + 1) % channels.size());
    }

    /** Connects again soon: left alone, a channel waits for up to two minutes. */
    void attend() {
        for (ManagedChannel each : channels) {
            if (each.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
                each.resetConnectBackoff();
            }
        }
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
