package dev.lockstep.spring.autoconfigure;

import dev.lockstep.inventory.Strategy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an application configures under {@code lockstep.inventory}, the most used first.
 *
 * @param enabled Whether there is a bean of type Inventory.
 * @param createTables Whether tables that are missing are made at the start. By default only in an H2 database in memory.
 * @param strategy How concurrent changes of one stock are kept apart.
 * @param patience How long a request may wait for its turn and for locks.
 * @param workers How many threads work for those who wait, each with a connection. By default 8, or half of the pool if that is less.
 * @param answerWithin How long the database may take to answer before it counts as gone.
 * @param sweepEvery How often to look for reservations whose time has ended; never with 0.
 * @param limits How much is taken on before requests are refused.
 */
@ConfigurationProperties("lockstep.inventory")
public record InventoryProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable Boolean createTables,
        @DefaultValue("adaptive") Strategy strategy,
        @DefaultValue("5s") Duration patience,
        @Nullable Integer workers,
        @DefaultValue("10s") Duration answerWithin,
        @DefaultValue("1s") Duration sweepEvery,
        @DefaultValue Limits limits) {
    /**
     * How much is taken on before requests are refused.
     *
     * @param inFlight Requests that are on their way at once, in all.
     * @param queued Requests for one stock that wait for their turn.
     * @param batch Requests that go into one transaction.
     * @param lines Lines of one order.
     */
    public record Limits(
            @DefaultValue("10000") int inFlight,
            @DefaultValue("5000") int queued,
            @DefaultValue("256") int batch,
            @DefaultValue("1000") int lines) {}
}
