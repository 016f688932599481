package dev.lockstep.server.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.server.AwayStore;
import dev.lockstep.server.RunningServer;
import dev.lockstep.server.locks.AdminApi.RevokeRequest;
import dev.lockstep.server.locks.Client.Answer;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.Disposable;

/** No lease is ended in place of its owner without a line in the audit log. */
@Tag("once")
@ExtendWith(OutputCaptureExtension.class)
class RevokeAuditTest {
    /** A store whose releases take as long as the test wants. */
    static class SlowStore {
        @Bean
        AwayStore slow() {
            return new AwayStore("slow", LockClock.system());
        }

        @Bean
        LockStore lockStore(AwayStore slow) {
            return slow.store();
        }
    }

    @Test
    void alsoWhenTheOperatorIsGoneBeforeTheResponse(CapturedOutput log) throws Exception {
        try (RunningServer server = RunningServer.with(SlowStore.class, Map.of())) {
            Answer held = Client.of(server).take("audit:1", 0, 30_000);
            CountDownLatch release = server.bean(AwayStore.class).holdReleases();
            String name = held.leaseName();
            Disposable request = server.bean(AdminApi.class)
                    .revoke(
                            name,
                            new RevokeRequest("it hangs"),
                            MockServerWebExchange.from(MockServerHttpRequest.post("/")))
                    .subscribe();
            UUID lease = LeaseId.read(name).orElseThrow().lease();
            await().until(() -> server.bean(Desk.class).find(lease).isEmpty());
            request.dispose();
            release.countDown();
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(log)
                            .contains("local ended the lease " + name + " of 127.0.0.1 on [audit:1]: it hangs"));
        }
    }
}
