package dev.lockstep.server.http;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.server.RunningServer;
import dev.lockstep.server.ServerProperties;
import dev.lockstep.spring.LockstepStartException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.mock.env.MockEnvironment;

@Tag("once")
class StartRulesTest {
    private static void start(@Nullable String address, @Nullable String token) throws UnknownHostException {
        start(address, token, new MockEnvironment());
    }

    private static void start(@Nullable String address, @Nullable String token, MockEnvironment environment)
            throws UnknownHostException {
        Map<String, String> properties = new HashMap<>();
        if (token != null) {
            properties.put("lockstep.server.token", token);
        }
        var web = new org.springframework.boot.web.server.autoconfigure.ServerProperties();
        web.setAddress(address == null ? null : InetAddress.getByName(address));
        var ignored = new StartRules(
                new Tokens(new Binder(new MapConfigurationPropertySource(properties))
                        .bindOrCreate("lockstep.server", ServerProperties.class)),
                web,
                environment);
    }

    @Test
    void managementPortWithoutTokenIsForThisMachineOnly() {
        MockEnvironment port = new MockEnvironment().withProperty("management.server.port", "9090");
        assertThatThrownBy(() -> start("127.0.0.1", null, port))
                .isInstanceOf(LockstepStartException.class)
                .hasMessageContaining("management.server.address=127.0.0.1");
        assertThatCode(() -> start("127.0.0.1", "0123456789abcdef", port)).doesNotThrowAnyException();
        port.setProperty("management.server.address", "127.0.0.1");
        assertThatCode(() -> start("127.0.0.1", null, port)).doesNotThrowAnyException();
    }

    @Test
    void aSeparateManagementPortOfARealServerIsRefused() {
        assertThatThrownBy(() -> RunningServer.with(Map.of("management.server.port", 0)))
                .hasRootCauseInstanceOf(LockstepStartException.class)
                .rootCause()
                .hasMessageContaining("management.server.address=127.0.0.1");
    }

    @Test
    void aManagementPortThatIsNoneOfItsOwnIsNotRefused() {
        for (String port : new String[] {"-1", "7070"}) {
            MockEnvironment same = new MockEnvironment()
                    .withProperty("server.port", "7070")
                    .withProperty("management.server.port", port);
            assertThatCode(() -> start("127.0.0.1", null, same)).as(port).doesNotThrowAnyException();
        }
    }

    @Test
    void loopbackNeedsNoToken() {
        assertThatCode(() -> start("127.0.0.1", null)).doesNotThrowAnyException();
        assertThatCode(() -> start("::1", "")).doesNotThrowAnyException();
    }

    @Test
    void otherAddressesNeedOne() {
        for (String address : new String[] {null, "0.0.0.0", "192.0.2.7", "::"}) {
            assertThatThrownBy(() -> start(address, null))
                    .isInstanceOf(LockstepStartException.class)
                    .hasMessageContaining("lockstep.server.token");
            assertThatCode(() -> start(address, "0123456789abcdef")).doesNotThrowAnyException();
        }
    }

    @Test
    void aServerForOthersDoesNotStartWithoutOne() {
        assertThatThrownBy(() -> RunningServer.with(Map.of("server.address", "0.0.0.0")))
                .hasRootCauseInstanceOf(LockstepStartException.class)
                .rootCause()
                .hasMessageContaining("0.0.0.0")
                .hasMessageContaining("asks for no token");
    }

    @Test
    void aTokenThatCanBeGuessedOrNotBeSentIsRefusedAndNotShown() {
        for (String token : new String[] {"secret-", "0123456789abcde", "0123456789 abcdef", "0123456789äbcdef"}) {
            assertThatThrownBy(() -> start("127.0.0.1", token))
                    .isInstanceOf(LockstepStartException.class)
                    .hasMessageContaining("at least 16")
                    .message()
                    .doesNotContain(token);
        }
    }
}
