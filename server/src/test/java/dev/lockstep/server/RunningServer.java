package dev.lockstep.server;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** A whole server on a free port of this machine, in this process. */
public final class RunningServer implements AutoCloseable {
    private final ConfigurableApplicationContext context;

    private RunningServer(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Starts one with these properties, by default in memory. */
    public static RunningServer with(Map<String, ?> properties) {
        return new RunningServer(LockstepServer.start(all(properties)));
    }

    /** Starts one on a {@link PairOfStores}, whose leases last five seconds at most. */
    public static RunningServer onAPair() {
        String[] arguments =
                all(Map.of("lockstep.term", "5s", "lockstep.server.limits.longest-lease", "5s")).entrySet().stream()
                        .map(each -> "--" + each.getKey() + "=" + each.getValue())
                        .toArray(String[]::new);
        return new RunningServer(new SpringApplicationBuilder(LockstepServer.class, PairOfStores.class).run(arguments));
    }

    private static Map<String, Object> all(Map<String, ?> properties) {
        Map<String, Object> all = new HashMap<>(Map.of(
                "server.port",
                0,
                "spring.datasource.url",
                "jdbc:h2:mem:" + java.util.UUID.randomUUID() + ";DB_CLOSE_DELAY=-1"));
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
