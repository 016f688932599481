package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The double of {@code navigator.locks} and the browser's own respond alike. */
@UsesChromium
class MockLocksTest {
    private static final String STEPS = """
            const respond = async (locks) => {
              const seen = [];
              const results = [];
              const ends = [];
              const hold = (name) => (lock) => {
                seen.push(name + ':' + (lock?.mode ?? 'none'));
                return lock && new Promise((resolve) => ends.push(() => resolve(name)));
              };
              const settled = () => locks.query();
              const two = locks.request('a', hold('two arguments'));
              await settled();
              await locks.request('a', { ifAvailable: true }, hold('unavailable'));
              const shared = [1, 2].map((n) => locks.request('a', { mode: 'shared' }, hold('shared ' + n)));
              const exclusive = locks.request('a', { mode: 'exclusive' }, hold('exclusive'));
              const late = locks.request('a', { mode: 'shared' }, hold('behind the exclusive one'));
              await settled();
              const counted = await locks.query();
              seen.push(counted.held.map(({ mode }) => mode).join() + ' | ' + counted.pending.map(({ mode }) => mode).join());
              ends.shift()();
              results.push(await two);
              while (ends.length < 2) await settled();
              await locks.request('a', { mode: 'shared', ifAvailable: true }, hold('not ahead of a waiter'));
              ends.splice(0).forEach((end) => end());
              results.push(...(await Promise.all(shared)));
              while (ends.length < 1) await settled();
              ends.shift()();
              results.push(await exclusive);
              while (ends.length < 1) await settled();
              ends.shift()();
              results.push(await late);
              const free = locks.request('a', { ifAvailable: true }, hold('available'));
              while (ends.length < 1) await settled();
              ends.shift()();
              results.push(await free);
              const refused = (options) => locks.request('a', options, () => 'granted').catch(({ name }) => name);
              seen.push(await refused({ mode: 'odd' }), await refused({ steal: true, ifAvailable: true }),
                await refused({ steal: true, mode: 'shared' }),
                await refused({ ifAvailable: true, signal: new AbortController().signal }));
              return [seen, results];
            };
            """;

    @Test
    @DisplayName("Modes, ifAvailable, the form with two arguments, and options that exclude each other")
    void likeTheBrowser(Tabs tabs) {
        Tab tab = tabs.open();
        Object real = tab.runOnDoubles(STEPS + "return respond(navigator.locks);");
        assertThat(tab.runOnDoubles(STEPS + "return respond(new MockNavigatorLocks());"))
                .isEqualTo(real);
        assertThat(real).asString().contains("unavailable:none", "shared 2:shared", "not ahead of a waiter:none");
    }
}
