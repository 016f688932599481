package dev.lockstep.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.leadership.Leadership;
import dev.lockstep.spring.actuate.LeadershipEndpoint;
import dev.lockstep.spring.actuate.LeadershipHealthIndicator;
import dev.lockstep.spring.leadership.LeadershipAutoConfiguration;
import dev.lockstep.spring.leadership.LeadershipEnded;
import dev.lockstep.spring.leadership.LeadershipGranted;
import dev.lockstep.spring.leadership.Leaderships;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.core.io.ClassPathResource;

@Tag("once")
class LeadershipAutoConfigurationTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(LockstepAutoConfiguration.class, LeadershipAutoConfiguration.class))
            .withBean(Events.class)
            .withPropertyValues(
                    "lockstep.store=memory",
                    "lockstep.kinds.leader.rank=1",
                    "lockstep.owner=node-1",
                    "management.endpoints.web.exposure.include=leadership");

    static class Events {
        final List<String> seen = new CopyOnWriteArrayList<>();

        @EventListener
        void granted(LeadershipGranted event) {
            seen.add(event.name() + " granted to " + event.term().owner());
        }

        @EventListener
        void ended(LeadershipEnded event) {
            seen.add(event.name() + " ended: " + event.stop().reason());
        }
    }

    @Test
    void theApplicationLeadsFromItsStartToItsEnd() {
        Events[] events = new Events[1];
        application
                .withPropertyValues("lockstep.leadership.keys.importer=leader:importer")
                .run(context -> {
                    events[0] = context.getBean(Events.class);
                    Leadership leadership =
                            context.getBean(Leaderships.class).find("importer").orElseThrow();
                    await().until(leadership::isLeader);
                    await().until(() -> events[0].seen.contains("importer granted to node-1"));

                    LeadershipEndpoint endpoint = context.getBean(LeadershipEndpoint.class);
                    LeadershipEndpoint.View view = Objects.requireNonNull(endpoint.one("importer"));
                    assertThat(view.key()).isEqualTo("leader:importer");
                    assertThat(Objects.requireNonNull(view.leader()).owner()).isEqualTo("node-1");
                    assertThat(view.error()).isNull();
                    assertThat(endpoint.one("other")).isNull();
                    assertThat(Objects.requireNonNull(context.getBean(LeadershipHealthIndicator.class)
                                            .health())
                                    .getStatus())
                            .isEqualTo(Status.UP);

                    endpoint.resign("importer");
                    await().until(() -> events[0].seen.contains("importer ended: RESIGNED"));
                    await().until(leadership::isLeader);
                });
        assertThat(events[0].seen).endsWith("importer ended: CLOSED");
    }

    private static void readSample(ConfigurableApplicationContext context) {
        try {
            context.getEnvironment()
                    .getPropertySources()
                    .addLast(new YamlPropertySourceLoader()
                            .load("sample", new ClassPathResource("samples/leadership.yaml"))
                            .get(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void withoutConfiguredKeysThereAreNoLeaderships() {
        application.run(context -> assertThat(context).doesNotHaveBean(Leaderships.class));
    }

    @Test
    void aKeyOfAnUnknownKindFailsTheStart() {
        application
                .withPropertyValues("lockstep.leadership.keys.importer=lead:importer")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("the unknown kind 'lead'"));
    }
}
