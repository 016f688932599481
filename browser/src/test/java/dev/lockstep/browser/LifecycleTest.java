package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

@UsesChromium
class LifecycleTest {
    @Test
    void first(Tabs tabs) {
        Tab tab = tabs.open();
        System.out.println(tab.acquire());
        System.out.println(tab.types());
        System.out.println(
                tab.run(
                        "return [await read('.lock'), await read('.lock.fence'), await names(await project()), await navigator.locks.query()]"));
        System.out.println(
                tab.run(
                        "const r = []; for (let i = 0; i < 30; i++) { const t = performance.now(); await releaseProjectLock({lease: held}); window.held = (await acquireProjectLock()).lease; r.push(Math.round(performance.now()-t)); } return [r, types().join()]"));
        System.out.println(tab.console());
        assertThat(tab.types()).isNotNull();
    }
}
