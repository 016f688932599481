package samples;

import static dev.lockstep.core.LockRequest.exclusive;
import static samples.Game.CHARACTER;
import static samples.Game.EQUIPMENT;
import static samples.Game.USER;

import dev.lockstep.core.Locks;
import dev.lockstep.spring.Locked;

class LockedBeans {
    private final Locks locks;
    private final LockedBeans other;

    LockedBeans(Locks locks, LockedBeans other) {
        this.locks = locks;
        this.other = other;
    }

    @Locked("equipment:#{#id}")
    public void repair(String id) {
        locks.run(exclusive(CHARACTER.key(id)), lease -> {}); // error: character (rank 1) is acquired while equipment (rank 2) is held by @Locked of repair()
        locks.run(exclusive(USER.key(id)), lease -> {});
    }

    @Locked("character:#{#id}")
    public void rename(String id) {
        repair(id); // error: LockedBeans.repair() is @Locked and called on the same object
        other.repair(id);
        renameAgain(id);
    }

    @Locked("character:#{#id}")
    public void renameAgain(String id) {}

    public void around(String id) {
        locks.run(exclusive(EQUIPMENT.key(id)), lease -> other.rename(id)); // error: character (rank 1) is acquired by LockedBeans.rename() (@Locked)
        this.rename(id); // error: LockedBeans.rename() is @Locked
    }

    @Locked("account:#{#id}")
    public void childAlone(String id) {} // error: has account (rank 11) without its parent user (rank 10)

    @Locked({"user:#{#id}/account:${main.account:a/b}", "02:equipment:#{#map['a:b/c']}", "unknown:#{#id}"})
    public void many(String id) {}
}
