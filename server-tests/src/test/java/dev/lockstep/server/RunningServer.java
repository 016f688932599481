package dev.lockstep.server;

import static org.awaitility.Awaitility.await;

import dev.lockstep.core.fallback.FallbackState;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.testkit.FakeClock;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** A whole server on a free port of this machine, in this process. */
public final class RunningServer implements AutoCloseable {
    /** A machine that stands still for seconds must not look like a client, a database or a store that hangs. */
    private static final Map<String, Object> PATIENT = Map.of(
            "spring.datasource.hikari.connection-timeout", 120_000,
            "spring.lifecycle.timeout-per-shutdown-phase", "2m",
            "lockstep.term", "2m",
            "lockstep.inventory.patience", "1m",
            "lockstep.inventory.answer-within", "1m",
            "lockstep.server.limits.slowest", "5m",
            "lockstep.server.limits.idle", "10m",
            "lockstep.server.limits.per-client", 100,
            "management.health.lockstep.timeout", "1m");

    private final ConfigurableApplicationContext context;

    private RunningServer(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Starts one with these properties, by default in memory. */
    public static RunningServer with(Map<String, ?> properties) {
        return new RunningServer(LockstepServer.start(all(properties)));
    }

    /** Starts one with beans of its own. */
    public static RunningServer with(Class<?> beans, Map<String, ?> properties) {
        return new RunningServer(new SpringApplicationBuilder(LockstepServer.class, beans).run(arguments(properties)));
    }

    /** Starts one on a {@link PairOfStores}, whose leases last five seconds at most. */
    public static RunningServer onAPair() {
        return with(PairOfStores.class, Map.of("lockstep.term", "5s", "lockstep.server.limits.longest-lease", "5s"));
    }

    private static String[] arguments(Map<String, ?> properties) {
        return all(properties).entrySet().stream()
                .map(each -> "--" + each.getKey() + "=" + each.getValue())
                .toArray(String[]::new);
    }

    /** Advances the clock of the {@link PairOfStores} until the pair is in this state. The clock stands still afterwards, and so does the state. */
    public void passTimeUntil(Predicate<FallbackState> expected) {
        FallbackStore pair = bean(FallbackStore.class);
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> {
                    boolean reached = expected.test(pair.state());
                    if (!reached) {
                        bean(FakeClock.class).advance(Duration.ofMillis(100));
                    }
                    return reached;
                });
    }

    private static Map<String, Object> all(Map<String, ?> properties) {
        Map<String, Object> all = new HashMap<>(PATIENT);
        all.put("server.port", 0);
        all.put("spring.datasource.url", "jdbc:h2:mem:" + java.util.UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        all.putAll(properties);
        return all;
    }

    /** Its address, such as {@code http://127.0.0.1:41237}. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + port());
    }

    /** The address of a path. */
    public URI url(String path) {
        return url().resolve(path);
    }

    public int port() {
        return ((WebServerApplicationContext) context).getWebServer().getPort();
    }

    /** A bean of it. */
    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** One of several beans of a type. */
    public <T> T bean(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    /** Stops it in order. */
    @Override
    public void close() {
        context.close();
    }
}
