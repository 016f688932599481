package dev.lockstep.etcd;

import dev.lockstep.core.InvalidRequestException;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The settings of a store. {@code interceptors} see every call, for tests. */
record EtcdOptions(
        EtcdAddress address,
        EtcdNamespace namespace,
        Duration longestTerm,
        Duration answerWithin,
        Optional<ChannelCredentials> certificates,
        List<ClientInterceptor> interceptors) {
    private static final Duration DEFAULT_LONGEST = Duration.ofSeconds(30);
    private static final Duration DEFAULT_ANSWER = Duration.ofSeconds(5);

    static EtcdOptions of(EtcdAddress address) {
        return new EtcdOptions(
                address, new EtcdNamespace("default"), DEFAULT_LONGEST, DEFAULT_ANSWER, Optional.empty(), List.of());
    }

    EtcdOptions withAddress(EtcdAddress other) {
        return new EtcdOptions(other, namespace, longestTerm, answerWithin, certificates, interceptors);
    }

    EtcdOptions withUser(String user, String password) {
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(password, "password");
        return withAddress(new EtcdAddress(
                address.members(), address.tls(), Optional.of(new EtcdAddress.Credentials(user, password))));
    }

    EtcdOptions withNamespace(String name) {
        return new EtcdOptions(address, new EtcdNamespace(name), longestTerm, answerWithin, certificates, interceptors);
    }

    EtcdOptions withLongestTerm(Duration term) {
        return new EtcdOptions(
                address, namespace, positive("longestTerm", term), answerWithin, certificates, interceptors);
    }

    EtcdOptions withAnswerWithin(Duration time) {
        return new EtcdOptions(
                address, namespace, longestTerm, positive("answerWithin", time), certificates, interceptors);
    }

    EtcdOptions withTls(ChannelCredentials credentials) {
        if (!address.tls()) {
            throw new InvalidRequestException(
                    "tls(...) needs an address that uses TLS. Write etcds://host:2379, or leave it out.");
        }
        Objects.requireNonNull(credentials, "credentials");
        return new EtcdOptions(address, namespace, longestTerm, answerWithin, Optional.of(credentials), interceptors);
    }

    EtcdOptions withInterceptor(ClientInterceptor interceptor) {
        return new EtcdOptions(address, namespace, longestTerm, answerWithin, certificates, List.of(interceptor));
    }

    ChannelCredentials channelCredentials() {
        return certificates.orElseGet(
                () -> address.tls() ? TlsChannelCredentials.create() : InsecureChannelCredentials.create());
    }

    private static Duration positive(String name, Duration duration) {
        if (duration.isNegative() || duration.toMillis() < 1) {
            throw new InvalidRequestException(name + " must be a millisecond or more, but was " + duration + ".");
        }
        return duration;
    }
}
