package dev.lockstep.spring.autoconfigure;

import dev.lockstep.etcd.EtcdLockStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Where lockstep-store-etcd is on the class path. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(EtcdLockStore.class)
final class EtcdStores {
    @Bean
    EtcdStoreFactory lockstepEtcdStores(LockstepProperties properties, ObjectProvider<SslBundles> bundles) {
        return new EtcdStoreFactory(properties, bundles);
    }
}
