package dev.lockstep.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses of clusters. */
class EtcdAddressTest {
    @Test
    @DisplayName("members, user, password and TLS are read")
    void all() {
        EtcdAddress address = EtcdAddress.parse("etcds://bill:a%40b%2Fc+d@one:2379,two,[::1]:3379/");
        assertThat(address.members()).containsExactly("one:2379", "two:2379", "[::1]:3379");
        assertThat(address.tls()).isTrue();
        assertThat(address.credentials()).contains(new EtcdAddress.Credentials("bill", "a@b/c+d"));
        assertThat(address.toString()).isEqualTo("[::1]:3379,one:2379,two:2379");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "one:2379",
                "http://one:2379",
                "etcd://",
                "etcd://one,,two",
                "etcd://one:0",
                "etcd://one:99999",
                "etcd://secret@one",
                "etcd://bill:secret%@one",
                "etcd://one/path"
            })
    @DisplayName("what is no address is refused, without its password")
    void refused(String url) {
        assertThatThrownBy(() -> EtcdLockStore.at(url))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("etcd://host1:2379")
                .hasMessageNotContaining("secret");
    }

    @Test
    @DisplayName("certificates for connections without TLS are refused")
    void certificatesWithoutTls() {
        assertThatThrownBy(() -> EtcdLockStore.at("etcd://one:2379").tls(io.grpc.TlsChannelCredentials.create()))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("etcds://");
    }
}
