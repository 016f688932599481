package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Options that make no sense. */
@UsesChromium
class OptionsTest {
    private static final String REFUSED = """
            acquireProjectLock({ maxWaitMs: NaN })                                   | RangeError | maxWaitMs must be at least 0
            acquireProjectLock({ maxWaitMs: -1 })                                    | RangeError | maxWaitMs must be at least 0
            acquireProjectLock({ maxWaitMs: '5000' })                                | TypeError  | maxWaitMs must be a number, not "5000"
            acquireProjectLock({ maxWait: 5000 })                                    | TypeError  | There are: signal, maxWaitMs, retryPolicy
            acquireProjectLock(null)                                                 | TypeError  | must be an object
            acquireProjectLock({ signal: new AbortController() })                    | TypeError  | controller.signal
            acquireProjectLock({ retryPolicy: { initialDelayMs: 0 } })               | RangeError | initialDelayMs must be at least 1
            acquireProjectLock({ retryPolicy: { maxDelayMs: Infinity } })            | RangeError | maxDelayMs must be finite
            acquireProjectLock({ retryPolicy: { multiplier: 0.5 } })                 | RangeError | multiplier must be at least 1
            acquireProjectLock({ retryPolicy: { maxAttempts: 0 } })                  | RangeError | maxAttempts must be at least 1
            renewProjectLock({ lease: held, extendByMs: 9 })                         | RangeError | extendByMs must be at least 10
            renewProjectLock({ lease: held, extendByMs: NaN })                       | RangeError | extendByMs must be at least 10
            renewProjectLock({ lease: held, extendByMs: 1500.5 })                    | RangeError | must be an integer from 10 to 86400000 (1 day), but was 1500.5
            renewProjectLock({ lease: held, extendByMs: 86_400_001 })                | RangeError | must be an integer from 10 to 86400000
            renewProjectLock({ lease: held, extendByMs: Number.MAX_SAFE_INTEGER })   | RangeError | must be an integer from 10 to 86400000
            renewProjectLock({ lease: held, extendByMs: Infinity })                  | RangeError | must be an integer from 10 to 86400000
            renewProjectLock(held)                                                   | TypeError  | There are: lease, extendByMs
            renewProjectLock()                                                       | TypeError  | must be an object
            releaseProjectLock({})                                                   | TypeError  | write {lease}
            releaseProjectLock({ lease: { leaseId: 7 } })                            | TypeError  | write {lease}
            releaseProjectLock({ lease: held, reason: 'done' })                      | TypeError  | completed, aborted, expired
            withProjectLock({})                                                      | TypeError  | withProjectLock({}, async (lease) =>
            Promise.resolve().then(() => subscribeLockEvents('x'))                   | TypeError  | takes a function
            """;

    @Test
    @DisplayName("Refused before anything is done, with what to write instead")
    void refused(Tabs tabs) {
        Tab tab = tabs.open();
        tab.acquire();
        SoftAssertions softly = new SoftAssertions();
        for (String row : REFUSED.lines().toList()) {
            List<String> cells = List.of(row.split(" *\\| "));
            softly.assertThat((String) tab.run("return " + cells.get(0) + ".then(() => 'accepted', String);"))
                    .as(cells.get(0))
                    .startsWith(cells.get(1))
                    .contains(cells.get(2));
        }
        softly.assertAll();
        assertThat(tab.types()).isEqualTo(List.of("acquired"));
    }
}
