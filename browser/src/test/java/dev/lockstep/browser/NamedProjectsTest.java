package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several projects of one origin, each with a lock and a directory of its own. */
@UsesChromium
class NamedProjectsTest {
    private static final String NAMED =
            "const { projectLockOf } = await import('" + Tabs.MODULES + "named.js'); const tried = { maxWaitMs: 0 };";

    @ParameterizedTest(name = "Web Locks: {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("A lock of a name excludes its own name in other tabs, and no other project")
    void independent(boolean webLocks, Tabs tabs) {
        Tab one = webLocks ? tabs.open() : tabs.openWithoutWebLocks();
        Tab two = webLocks ? tabs.open() : tabs.openWithoutWebLocks();
        Object held = one.run(NAMED + """
                const { lease } = await projectLockOf('plan-1').acquireProjectLock();
                await acquireProjectLock();
                const again = await failure(projectLockOf('plan-1').acquireProjectLock(tried));
                window.release = () => projectLockOf('plan-1').releaseProjectLock({ lease });
                return [again, lease.source];
                """);
        assertThat(held).isEqualTo(List.of("lease-mismatch", webLocks ? "web-lock" : "opfs-lock"));
        Object seen = two.run(NAMED + """
                const refused = [await failure(projectLockOf('plan-1').acquireProjectLock(tried))];
                refused.push(await failure(acquireProjectLock(tried)));
                refused.push(await failure(projectLockOf('plan.2').acquireProjectLock(tried)));
                const root = await navigator.storage.getDirectory();
                const all = await root.getDirectoryHandle('project');
                return [...refused, (await names(all)).filter((name) => name.startsWith('plan')).join()];
                """);
        assertThat(seen).isEqualTo(List.of("acquire-timeout", "acquire-timeout", "no error", "plan-1,plan.2"));
        one.run("await window.release();");
        assertThat(two.run(NAMED + "return failure(projectLockOf('plan-1').acquireProjectLock());"))
                .isEqualTo("no error");
    }

    @Test
    @DisplayName("A name that could leave the directory, or hide a file of the lock, is refused")
    void invalid(Tabs tabs) {
        Object accepted = tabs.open().run(NAMED + """
                const accepts = (name) => {
                  try {
                    return !!projectLockOf(name);
                  } catch (error) {
                    return !(error instanceof RangeError);
                  }
                };
                return ['', '.lock', 'a/b', '..', 'Zoë', 'x'.repeat(65), undefined, 5].filter(accepts);
                """);
        assertThat(accepted).isEqualTo(List.of());
    }
}
