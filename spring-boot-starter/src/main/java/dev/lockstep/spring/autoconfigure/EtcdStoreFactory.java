package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.etcd.EtcdDoctor;
import dev.lockstep.etcd.EtcdLockStore;
import dev.lockstep.spring.LockstepStartException;
import dev.lockstep.spring.StoreDoctor;
import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** Locks on etcd. */
final class EtcdStoreFactory implements StoreFactory {
    private final LockstepProperties properties;
    private final ObjectProvider<SslBundles> bundles;

    EtcdStoreFactory(LockstepProperties properties, ObjectProvider<SslBundles> bundles) {
        this.properties = properties;
        this.bundles = bundles;
    }

    @Override
    public boolean makes(StoreType type) {
        return type == StoreType.ETCD;
    }

    @Override
    public LockStore open(StoreType type, Kinds kinds) {
        LockstepProperties.Etcd etcd = properties.etcd();
        try {
            EtcdLockStore store = EtcdLockStore.at(url());
            if (etcd.username() != null) {
                store = store.user(etcd.username(), Objects.requireNonNullElse(etcd.password(), ""));
            }
            if (etcd.sslBundle() != null) {
                store = store.tls(certificates(etcd.sslBundle()));
            }
            if (properties.namespace() != null) {
                store = store.namespace(properties.namespace());
            }
            if (etcd.longestTerm() != null) {
                store = store.longestTerm(etcd.longestTerm());
            }
            return etcd.answerWithin() == null ? store : store.answerWithin(etcd.answerWithin());
        } catch (InvalidRequestException e) {
            throw refused(e);
        }
    }

    @Override
    public StoreDoctor doctor(StoreType type) {
        LockstepProperties.Etcd etcd = properties.etcd();
        try {
            EtcdDoctor doctor = EtcdDoctor.at(url());
            if (etcd.username() != null) {
                doctor = doctor.user(etcd.username(), Objects.requireNonNullElse(etcd.password(), ""));
            }
            if (etcd.sslBundle() != null) {
                doctor = doctor.tls(certificates(etcd.sslBundle()));
            }
            return properties.namespace() == null ? doctor::examine : doctor.namespace(properties.namespace())::examine;
        } catch (InvalidRequestException e) {
            throw refused(e);
        }
    }

    private String url() {
        @Nullable String url = properties.etcd().url();
        if (url == null) {
            throw new LockstepStartException(
                    "lockstep.store=etcd needs the addresses of the members.",
                    "Write lockstep.etcd.url=etcd://host1:2379,host2:2379,host3:2379.");
        }
        return url;
    }

    private ChannelCredentials certificates(String name) {
        SslBundle bundle = bundles.getObject().getBundle(name);
        return TlsChannelCredentials.newBuilder()
                .keyManager(bundle.getManagers().getKeyManagers())
                .trustManager(bundle.getManagers().getTrustManagers())
                .build();
    }

    /** The message of the store has no password. */
    private static LockstepStartException refused(InvalidRequestException error) {
        return new LockstepStartException(
                "lockstep.etcd: " + error.getMessage(), "Change the properties of lockstep.etcd.");
    }
}
