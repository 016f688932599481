package dev.lockstep.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisAddressTest {
    private static RedisAddress parsed(String url, Credentials credentials) {
        return (RedisAddress) StoreAddress.parse(url, credentials, Optional.empty());
    }

    private static RedisAddress parsed(String url) {
        return parsed(url, new Credentials(Optional.empty(), Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            redis-cluster://a:1,b:2                | redis://a:1 redis://b:2                               | redis-cluster://a:1,b:2
            REDISS-CLUSTER://a:1                   | rediss://a:1                                          | rediss-cluster://a:1
            redis-cluster://a:1, b:2?partitions=8  | redis://a:1 redis://b:2                               | redis-cluster://a:1,b:2?partitions=8
            redis-cluster://me:se%2Ccret,x@a:1,b:2 | redis://me:se%2Ccret,x@a:1 redis://me:se%2Ccret,x@b:2 | redis-cluster://a:1,b:2
            redis-cluster://127.0.0.1:7000,b       | redis://127.0.0.1:7000 redis://b                      | redis-cluster://127.0.0.1:7000,b
            """)
    void theNodesOfAClusterHaveOneUrlAndOneLogin(String url, String logins, String shown) {
        RedisAddress address = parsed(url);

        assertThat(address.isCluster()).isTrue();
        assertThat(address.logins()).containsExactly(logins.split(" "));
        assertThat(address).hasToString(shown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-sentinel://:secret@a:1,b:2#orders", "rediss-sentinel://:secret@a:1,b:2#orders"})
    void sentinelsNameTheServer(String url) {
        RedisAddress address = parsed(url);

        assertThat(address.isCluster()).isFalse();
        assertThat(address.logins()).containsExactly(url);
        assertThat(address.toString()).contains("a:1,b:2").doesNotContain("secret");
        assertThat(address.open().identity().orElseThrow()).contains("orders@a:1,b:2");
    }

    @Test
    void flagsGiveEveryNodeTheLogin() {
        RedisAddress address =
                parsed("redis-cluster://a:1,b:2", new Credentials(Optional.of("me"), Optional.of("p@ss,word")));

        assertThat(address.logins()).containsExactly("redis://me:p%40ss%2Cword@a:1", "redis://me:p%40ss%2Cword@b:2");
        assertThat(address).hasToString("redis-cluster://a:1,b:2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis-cluster://",
                "redis-cluster:a:1,b:2",
                "redis-cluster:me:secret@a:1",
                "redis-cluster://:secret@a:x,b:2",
                "redis-cluster://:secret/@a:1",
                "redis-cluster://u:secret@a:1,u:secret@b:2",
                "redis-cluster://a:1,b:2,",
                "redis-cluster://,",
                "redis-cluster://a:1,,b:2",
                "redis-cluster://a:1/3",
                "rediss-cluster://:secret@a:1,b:2?verifyPeer=NONE",
                "redis-cluster://a:1?partitions=many"
            })
    void anAddressThatIsNoneIsRefusedWithoutThePassword(String url) {
        assertThatThrownBy(() -> parsed(url))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("redis-cluster://host1:6379,host2:6379")
                .hasMessageNotContaining("secret");
    }

    @Test
    void oneServerIsNoCluster() {
        assertThat(parsed("redis://a:1").isCluster()).isFalse();
        assertThat(parsed("redis://a:1")).hasToString("redis://a:1");
    }
}
