package dev.lockstep.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.jdbc.RowLockStore;
import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.spring.LockstepStartException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** What can't be right doesn't start, and is told what to write. */
@Tag("once")
class RefusedConfigurationTest {
    private static void refused(ApplicationContextRunner runner, Consumer<LockstepStartException> check) {
        runner.run(context -> check.accept(Applications.refusal(context)));
    }

    @Test
    @DisplayName("without lockstep.store the choices are listed")
    void missingStore() {
        refused(Applications.plain(), refusal -> {
            assertThat(refusal.description()).startsWith("lockstep.store is not set");
            assertThat(refusal.action()).contains("memory, mysql, mariadb, postgresql, redis");
        });
    }

    @Test
    @DisplayName("an unknown store is refused by Spring Boot, which lists the choices")
    void unknownStore() {
        Applications.plain()
                .withPropertyValues("lockstep.store=oracle")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasRootCauseInstanceOf(IllegalArgumentException.class)
                        .hasStackTraceContaining(BindException.class.getName()));
    }

    @ParameterizedTest
    @CsvSource({
        "mysql,lockstep-store-jdbc",
        "mariadb,lockstep-store-jdbc",
        "postgresql,lockstep-store-jdbc",
        "redis,lockstep-store-redis"
    })
    @DisplayName("a store whose jar is missing names the artifact to add")
    void missingJar(String store, String artifact) {
        refused(
                Applications.connected()
                        .withPropertyValues("lockstep.store=" + store)
                        .withClassLoader(new FilteredClassLoader(RowLockStore.class, RedisLockStore.class)),
                refusal -> {
                    assertThat(refusal.description()).contains("lockstep.store=" + store, artifact);
                    assertThat(refusal.action()).contains("dev.lockstep:" + artifact);
                });
    }

    @Test
    @DisplayName("locks in memory need none of the optional jars")
    void nothingOptional() {
        Applications.plain()
                .withPropertyValues("lockstep.store=memory")
                .withClassLoader(new FilteredClassLoader(
                        RowLockStore.class,
                        RedisLockStore.class,
                        Inventory.class,
                        DataSourcePoolMetadataProvider.class,
                        DataRedisConnectionDetails.class,
                        RedisConnectionFactory.class))
                .run(context -> assertThat(context).hasNotFailed());
        Applications.plain()
                .withPropertyValues("lockstep.store=memory")
                .withClassLoader(new FilteredClassLoader(
                        "dev.lockstep.jdbc",
                        "dev.lockstep.redis",
                        "dev.lockstep.inventory",
                        "io.lettuce",
                        "com.zaxxer",
                        "org.springframework.boot.jdbc",
                        "org.springframework.boot.sql",
                        "org.springframework.jdbc",
                        "org.springframework.data",
                        "org.springframework.boot.data",
                        "org.springframework.boot.actuate",
                        "io.micrometer"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource({
        "redis,lockstep.connections=4",
        "redis,lockstep.buckets=1000",
        "postgresql,lockstep.buckets=1000",
        "postgresql,lockstep.provision-if-missing=true",
        "mysql,lockstep.namespace=orders",
        "mysql,lockstep.redis.url=redis://user:secret@host",
        "postgresql,lockstep.redis.cluster=redis://user:secret@host",
        "mysql,lockstep.redis.partitions=8",
        "mysql,lockstep.redis.longest-term=5s",
        "postgresql,lockstep.redis.answer-within=5s"
    })
    @DisplayName("a setting that the store doesn't have is refused, not ignored")
    void settingOfAnotherStore(String store, String setting) {
        refused(Applications.connected().withPropertyValues("lockstep.store=" + store, setting), refusal -> {
            String name = setting.substring(0, setting.indexOf('='));
            assertThat(refusal.description()).startsWith(name + " is set, and lockstep.store=" + store);
            assertThat(refusal.action()).startsWith("Take " + name + " away.");
            assertThat(refusal).hasMessageNotContaining("secret");
        });
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {"3.5.6,true", "2.7.18,true", "4.0.0,false", "4.1.1-SNAPSHOT,false", "10.0.0,false", "none,false"})
    @DisplayName("a Spring Boot that is too old is refused with one sentence")
    void oldBoot(@Nullable String version, boolean isRefused) {
        if (isRefused) {
            assertThatThrownBy(() -> RequiredBoot.check(version))
                    .isInstanceOf(LockstepStartException.class)
                    .hasMessageStartingWith(
                            "lockstep-spring-boot-starter is for Spring Boot 4, and the application has " + version
                                    + ". Use");
        } else {
            assertThatCode(() -> RequiredBoot.check(version)).doesNotThrowAnyException();
        }
    }

    @Test
    @DisplayName("a setting of another store that says what is the default anyway is accepted")
    void defaultOfAnotherStore() {
        Applications.connected()
                .withPropertyValues(
                        "lockstep.store=redis",
                        "lockstep.redis.url=nonsense",
                        "lockstep.connections=16",
                        "lockstep.provision-if-missing=false")
                .run(context ->
                        assertThat(Applications.refusal(context).description()).contains("lockstep.redis.url"));
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    @DisplayName("the memory ignores what an application configures for other stores, and says so once")
    void memoryIgnoresOthers(boolean provision) {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(StoreSettings.class);
        Level before = logger.getLevel();
        logger.setLevel(Level.INFO);
        log.start();
        logger.addAppender(log);
        try {
            Applications.connected()
                    .withPropertyValues(
                            "lockstep.store=memory",
                            "lockstep.provision-if-missing=" + provision,
                            "lockstep.connections=4",
                            "lockstep.namespace=orders",
                            "lockstep.redis.longest-term=5s",
                            "lockstep.fallback.store=postgresql")
                    .run(context -> assertThat(context).hasSingleBean(Locks.class));
            assertThat(log.list)
                    .singleElement()
                    .hasToString("[INFO] lockstep.store=memory ignores settings of other stores: lockstep.connections, "
                            + (provision ? "lockstep.provision-if-missing, " : "")
                            + "lockstep.namespace, lockstep.redis.longest-term, lockstep.fallback");
        } finally {
            logger.detachAppender(log);
            logger.setLevel(before);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            lockstep.redis.url=redis://:secret@a     | lockstep.redis.cluster=redis://b     | names a server, and | Take one of them away
            lockstep.redis.url=redis://:secret@a     | lockstep.redis.partitions=8          | on a single server  | lockstep.redis.cluster
            lockstep.redis.cluster=                  | lockstep.redis.partitions=8          | names no node       | Write some nodes
            lockstep.redis.cluster=http://:secret@a  | lockstep.redis.partitions=8          | not the address     | Write redis://host:6379
            lockstep.redis.cluster=redis://:secret@a | lockstep.redis.partitions=0          | partitions is 0     | such as 64
            lockstep.redis.cluster=redis://:secret@a | lockstep.redis.partitions=5000       | partitions=5000     | 1 to 1024
            lockstep.redis.cluster=redis://:secret@a/3 | lockstep.redis.partitions=8        | one database only   | namespaces
            """)
    @DisplayName("a cluster that can't be meant is refused")
    void cluster(String first, String second, String description, String action) {
        refused(Applications.plain().withPropertyValues("lockstep.store=redis", first, second), refusal -> {
            assertThat(refusal.description() + refusal.action()).contains(description, action);
            assertThat(refusal).hasMessageNotContaining("secret");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "memory,lockstep.wait=0s,lockstep.wait is 0ms",
        "memory,lockstep.wait=-1s,lockstep.wait is -1000ms",
        "memory,lockstep.term=0s,lockstep.term is 0ms",
        "memory,lockstep.longest-hold=0s,lockstep.longest-hold is 0ms",
        "memory,lockstep.limits.keys=0,lockstep.limits.keys is 0",
        "memory,lockstep.limits.depth=0,lockstep.limits.depth is 0",
        "memory,lockstep.limits.id-length=-1,lockstep.limits.id-length is -1",
        "memory,'lockstep.owner= ',lockstep.owner is empty",
        "redis,'lockstep.namespace= ',lockstep.namespace is empty",
        "redis,lockstep.term=31s,lockstep.term is 31000ms",
        "redis,lockstep.redis.longest-term=9s,lockstep.term is 10000ms",
        "redis,lockstep.redis.answer-within=0s,lockstep.redis.answer-within is 0ms",
        "mysql,lockstep.buckets=0,lockstep.buckets is 0",
        "mysql,lockstep.connections=0,lockstep.connections is 0"
    })
    @DisplayName("a value that no lock can work with is refused by the property's name")
    void badValue(String store, String setting, String description) {
        refused(
                Applications.connected()
                        .withPropertyValues(
                                "spring.datasource.url=jdbc:h2:mem:unused", "lockstep.store=" + store, setting),
                refusal -> {
                    assertThat(refusal.description()).startsWith(description);
                    assertThat(refusal.action()).startsWith("Write ");
                });
    }
}
