package dev.lockstep.spring.actuate;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What monitoring reads, over real HTTP and JMX, of an application with locks in memory. */
@Tag("once")
@Timeout(240)
class ActuatorHttpTest {
    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static ConfigurableApplicationContext application;
    private static Locks locks;
    private static Lease held;
    private static CompletableFuture<Lease> waiting;

    @BeforeAll
    static void start() {
        application = new SpringApplicationBuilder(Application.class)
                .properties(Map.of(
                        "server.port", "0",
                        "spring.autoconfigure.exclude",
                                "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                        "spring.main.banner-mode", "off",
                        "spring.jmx.enabled", "true",
                        "spring.jmx.unique-names", "true",
                        "lockstep.store", "memory",
                        "lockstep.kinds-from", "dev.lockstep.testkit.Tenancy",
                        "management.endpoints.web.exposure.include", "*",
                        "management.endpoints.jmx.exposure.include", "locks",
                        "management.endpoint.health.show-details", "always"))
                .properties("lockstep.term=10m", "management.health.lockstep.timeout=1m")
                .run();
        locks = application.getBean(Locks.class);
        held = locks.acquireAsync(exclusive(Tenancy.account("u1", "a1")).as("close-account"))
                .join();
        waiting = locks.acquireAsync(
                exclusive(Tenancy.user("u1")).as("delete-user").within(Duration.ofMinutes(10)));
        await().until(() -> !locks.snapshot().waiters().isEmpty());
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static HttpResponse<String> get(String path) throws Exception {
        String port = application.getEnvironment().getProperty("local.server.port");
        URI uri = URI.create("http://127.0.0.1:" + port + "/actuator/" + path);
        return HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode json(String path) throws Exception {
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JsonMapper.builder().build().readTree(response.body());
    }

    @Test
    void locksShowsHolders() throws Exception {
        JsonNode report = json("locks");
        assertThat(report.propertyNames())
                .containsExactlyInAnyOrder(
                        "store", "at", "holdersFound", "waitersFound", "holders", "waiters", "fallback");
        assertThat(report.get("store").asString()).isEqualTo("memory");
        assertThat(Instant.parse(report.get("at").asString()))
                .isBefore(Instant.now().plusSeconds(60));
        assertThat(report.get("holdersFound").asInt()).isEqualTo(2);
        JsonNode account = json("locks/account").get("holders").get(0);
        assertThat(account.get("key").asString()).isEqualTo("user:u1/account:a1");
        assertThat(account.get("mode").asString()).isEqualTo("X");
        assertThat(account.get("owner").asString()).isEqualTo("close-account");
        assertThat(account.get("leaseId").asString()).isEqualTo(held.id().toString());
        assertThat(account.get("ageMillis").asLong()).isNotNegative();
        assertThat(Instant.parse(account.get("since").asString()))
                .isBefore(Instant.now().plusSeconds(60));
    }

    @Test
    void locksShowsWaitersAndWhomTheyWaitFor() throws Exception {
        JsonNode waiter = json("locks").get("waiters").get(0);
        assertThat(waiter.propertyNames())
                .contains("key", "mode", "owner", "since", "ageMillis", "leaseId", "callSite", "blockedBy");
        assertThat(waiter.get("owner").asString()).isEqualTo("delete-user");
        JsonNode blocker = waiter.get("blockedBy").get(0);
        assertThat(blocker.propertyNames())
                .containsExactlyInAnyOrder("mode", "owner", "since", "ageMillis", "leaseId", "waiting");
        assertThat(blocker.get("owner").asString()).isEqualTo("close-account");
        assertThat(blocker.get("leaseId").asString()).isEqualTo(held.id().toString());
        assertThat(blocker.get("waiting").asBoolean()).isFalse();
    }

    @Test
    void locksCanBeNarrowedDown() throws Exception {
        assertThat(json("locks/user").get("holdersFound").asInt()).isEqualTo(1);
        assertThat(json("locks/resource").get("holdersFound").asInt()).isZero();
        assertThat(json("locks?key=user:u1/").get("holdersFound").asInt()).isEqualTo(1);
        assertThat(json("locks?key=user:u2").get("waitersFound").asInt()).isZero();
        JsonNode one = json("locks?limit=1");
        assertThat(one.get("holdersFound").asInt()).isEqualTo(2);
        assertThat(one.get("holders").size()).isEqualTo(1);
    }

    @Test
    void unknownKindIsNotFound() throws Exception {
        assertThat(get("locks/nosuch").statusCode()).isEqualTo(404);
    }

    @Test
    void limitOutOfBoundsIsRefused() throws Exception {
        assertThat(get("locks?limit=0").statusCode()).isEqualTo(400);
        assertThat(get("locks?limit=1001").statusCode()).isEqualTo(400);
    }

    @Test
    void locksIsInJmxToo() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        Set<ObjectName> names =
                server.queryNames(new ObjectName("org.springframework.boot:type=Endpoint,name=Locks,*"), null);
        assertThat(names).hasSize(1);
        Object report = server.invoke(names.iterator().next(), "all", new Object[] {"user:u1/", null}, new String[] {
            "java.lang.String", "java.lang.Integer"
        });
        assertThat(report).asString().contains("close-account");
    }

    @Test
    void healthTellsOfTheStore() throws Exception {
        JsonNode health = json("health/lockstep");
        assertThat(health.get("status").asString()).isEqualTo("UP");
        assertThat(health.get("details").get("store").asString()).isEqualTo("memory");
    }

    @Test
    void metersAreThere() throws Exception {
        assertThat(json("metrics/lockstep.held.leases")
                        .get("measurements")
                        .get(0)
                        .get("value")
                        .asDouble())
                .isEqualTo(1);
        assertThat(waiting).isNotDone();
    }
}
