package dev.lockstep.spring.samples;

import dev.lockstep.core.scheduling.LockCheck;
import dev.lockstep.spring.Locked;
import dev.lockstep.spring.Locked.IfBusy;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.scheduling.annotation.Scheduled;

/** Scheduled methods that one node runs, as the documentation shows them. */
class ScheduledTasks {
    private final AtomicInteger reports = new AtomicInteger();

    // tag::scheduled
    @Scheduled(cron = "0 0 3 * * *")
    @Locked(value = "user:reports", ifBusy = IfBusy.SKIP, atLeast = "30s", atMost = "${report.at-most:2h}")
    public void report() {
        LockCheck.requireLocked(); // fails when it is called on 'this'
        reports.incrementAndGet();
    }
    // end::scheduled

    // tag::locked-fallback
    @Locked(value = "user:#{#user}", within = "500ms", fallback = "lastBalance")
    public long balance(String user) {
        return computed(user);
    }

    long lastBalance(String user) { // nothing is held here
        return -1;
    }
    // end::locked-fallback

    private long computed(String user) {
        return user.length();
    }

    int reports() {
        return reports.get();
    }
}
