package dev.lockstep.spring.actuate;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the health indicator {@code lockstep}.
 *
 * @param enabled Whether health reports the locks' store.
 * @param interval How old the last answer of the store's doctor may be. It takes a connection for each.
 * @param timeout How long health waits for the store's doctor before it is down.
 */
@ConfigurationProperties("management.health.lockstep")
public record StoreHealthProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("30s") Duration interval,
        @DefaultValue("5s") Duration timeout) {
    /** Rejects what can't be meant. */
    public StoreHealthProperties {
        if (interval.isNegative()) {
            throw new IllegalArgumentException(
                    "management.health.lockstep.interval is " + interval
                            + ". Give zero or more, such as 30s; to switch it off, set management.health.lockstep.enabled=false.");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException(
                    "management.health.lockstep.timeout is " + timeout + ". Give more than zero, such as 5s.");
        }
    }
}
