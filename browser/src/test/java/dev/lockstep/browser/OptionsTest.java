package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options that make no sense. */
@UsesChromium
class OptionsTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    acquireProjectLock({ maxWaitMs: NaN })                              | RangeError | maxWaitMs must be at least 0
                    acquireProjectLock({ maxWaitMs: -1 })                               | RangeError | maxWaitMs must be at least 0
                    acquireProjectLock({ maxWaitMs: '5000' })                           | TypeError  | maxWaitMs must be a number, not "5000"
                    acquireProjectLock({ maxWait: 5000 })                               | TypeError  | There are: signal, maxWaitMs, retryPolicy
                    acquireProjectLock(null)                                            | TypeError  | must be an object
                    acquireProjectLock({ signal: new AbortController() })               | TypeError  | controller.signal
                    acquireProjectLock({ retryPolicy: { initialDelayMs: 0 } })          | RangeError | initialDelayMs must be at least 1
                    acquireProjectLock({ retryPolicy: { maxDelayMs: Infinity } })       | RangeError | maxDelayMs must be finite
                    acquireProjectLock({ retryPolicy: { multiplier: 0.5 } })            | RangeError | multiplier must be at least 1
                    acquireProjectLock({ retryPolicy: { maxAttempts: 0 } })             | RangeError | maxAttempts must be at least 1
                    renewProjectLock({ lease: held, extendByMs: 0 })                    | RangeError | extendByMs must be at least 1
                    renewProjectLock({ lease: held, extendByMs: Infinity })             | RangeError | extendByMs must be finite
                    renewProjectLock(held)                                              | TypeError  | There are: lease, extendByMs
                    renewProjectLock()                                                  | TypeError  | must be an object
                    releaseProjectLock({})                                              | TypeError  | write {lease}
                    releaseProjectLock({ lease: { leaseId: 7 } })                       | TypeError  | write {lease}
                    releaseProjectLock({ lease: held, reason: 'done' })                 | TypeError  | completed, aborted, expired
                    withProjectLock({})                                                 | TypeError  | withProjectLock({}, async (lease) =>
                    Promise.resolve().then(() => subscribeLockEvents('x'))              | TypeError  | takes a function
                    """)
    @DisplayName("Refused before anything is done, with what to write instead")
    void refused(String call, String name, String hint, Tabs tabs) {
        Tab tab = tabs.open();
        tab.acquire();
        List<?> seen = (List<?>) tab.run("const error = await " + call
                + ".catch((error) => error); return [error.name, error.message, types().length];");
        assertThat(seen.get(0)).isEqualTo(name);
        assertThat((String) seen.get(1)).contains(hint);
        assertThat(seen.get(2)).isEqualTo(1);
    }
}
