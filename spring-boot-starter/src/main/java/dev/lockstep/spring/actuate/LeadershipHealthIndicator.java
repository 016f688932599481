package dev.lockstep.spring.actuate;

import dev.lockstep.core.leadership.Leadership;
import dev.lockstep.spring.leadership.Leaderships;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Is down while a candidate can't stand because the store fails. Waiting for another leader is healthy. */
public final class LeadershipHealthIndicator extends AbstractHealthIndicator {
    private final Leaderships leaderships;

    /** Reports these leaderships. */
    public LeadershipHealthIndicator(Leaderships leaderships) {
        super("The leaderships could not be read");
        this.leaderships = leaderships;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up();
        leaderships.all().forEach((name, leadership) -> {
            Leadership.State state = leadership.state();
            builder.withDetail(name, state);
            if (state == Leadership.State.UNAVAILABLE || state == Leadership.State.CLOSED) {
                builder.down();
            }
        });
    }
}
