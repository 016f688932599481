package dev.lockstep.adapters;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;

/** The kinds of these tests. */
final class Job {
    static final LockKind KIND = LockKind.of("job", 5).asLeaf();
    static final LockKind STEP = LockKind.of("step", 6).asLeaf();

    private Job() {}

    static LockKey key(String id) {
        return KIND.key(id);
    }
}
