package dev.lockstep.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DsnTest {

    @Test
    void readsTheGoForm() {
        Endpoint endpoint = Dsn.parse(ServerKind.MYSQL, "root:root@tcp(127.0.0.1:3306)/mgl_test?parseTime=true");
        assertThat(endpoint)
                .isEqualTo(new Endpoint(
                        ServerKind.MYSQL, "127.0.0.1", 3306, "root", "root", "mgl_test", ServerKind.MYSQL.params()));
        assertThat(endpoint.jdbcUrl("other", Map.of("connectTimeout", "9")))
                .isEqualTo(
                        "jdbc:mysql://127.0.0.1:3306/other?allowPublicKeyRetrieval=true&connectTimeout=9&sslMode=DISABLED");
    }

    @ParameterizedTest
    @CsvSource({
        "root@tcp(db)/x,            root, '',        db,  3306",
        "tcp(db:1)/x,               '',   '',        db,  1",
        "u:p@ss:w(o)rd/1@tcp(db)/x, u,    p@ss:w(o)rd/1, db, 3306",
        "u:p@tcp([::1]:33)/x,       u,    p,         ::1, 33",
    })
    void readsAllThatGoAllows(String text, String user, String password, String host, int port) {
        Endpoint endpoint = Dsn.parse(ServerKind.MARIADB, text);
        assertThat(endpoint).isEqualTo(new Endpoint(ServerKind.MARIADB, host, port, user, password, "x", Map.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "MYSQL,    jdbc:mysql://db:33/x?user=u&password=p%26q&a=b",
        "MARIADB,  jdbc:mariadb://db:33/x?user=u&password=p%26q&a=b",
        "POSTGRES, jdbc:postgresql://db:33/x?user=u&password=p%26q&a=b",
        "POSTGRES, postgres://u:p%26q@db:33/x?a=b",
        "POSTGRES, postgresql://u:p%26q@db:33/x?a=b",
    })
    void readsUrls(ServerKind kind, String text) {
        assertThat(Dsn.parse(kind, text)).isEqualTo(new Endpoint(kind, "db", 33, "u", "p&q", "x", Map.of("a", "b")));
    }

    @Test
    void readsRedisUrls() {
        assertThat(Dsn.parse(ServerKind.REDIS, "redis://db").redisUrl()).isEqualTo("redis://db:6379/0");
        assertThat(Dsn.parse(ServerKind.REDIS, "redis://:p%20q@db:1/3").redisUrl())
                .isEqualTo("redis://:p%20q@db:1/3");
    }

    @ParameterizedTest
    @CsvSource({
        "MYSQL,    nonsense",
        "MYSQL,    jdbc:mariadb://db/x",
        "MYSQL,    u:hidden@unix(/tmp/mysql.sock)/x",
        "MYSQL,    u:hidden@tcp(db:70000)/x",
        "MYSQL,    u:hidden@tcp(db)/",
        "POSTGRES, postgres://u:hid den@db/x",
        "POSTGRES, postgres:///x",
        "POSTGRES, postgres://u:hidden@db:99999/x",
        "REDIS,    rediss://:hidden@db",
    })
    void rejectsTheRestWithoutShowingThePassword(ServerKind kind, String text) {
        assertThatThrownBy(() -> Dsn.parse(kind, text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(kind.variable() + " can't be used")
                .hasMessageContaining("Write ")
                .hasMessageNotContaining("hid");
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"REDIS", "REDIS_7"})
    void aHostThatIsAnIp6AddressIsWrittenInBrackets(ServerKind kind) {
        Endpoint endpoint = new Endpoint(kind, "::1", 5, "u", "p", "x", Map.of());
        assertThat(endpoint.jdbcUrl("x", Map.of())).endsWith("://[::1]:5/x");
    }
}
