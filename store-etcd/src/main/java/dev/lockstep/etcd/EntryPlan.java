package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.LockPlan;
import java.util.List;
import java.util.UUID;

/** A plan as etcd sees it: for each lock its own entry, and the range of the entries that conflict with it. */
final class EntryPlan {
    private final LockPlan plan;
    private final ByteString[] own;
    private final ByteString[] from;
    private final ByteString[] to;

    EntryPlan(EtcdNamespace namespace, LockPlan plan, UUID lease) {
        this.plan = plan;
        own = new ByteString[plan.size()];
        from = new ByteString[plan.size()];
        to = new ByteString[plan.size()];
        for (int i = 0; i < plan.size(); i++) {
            String key = Entries.ofKey(namespace, plan.key(i).toString());
            own[i] = ByteString.copyFromUtf8(key + Entries.digit(plan.mode(i)) + "/" + lease);
            from[i] = ByteString.copyFromUtf8(key + Entries.lowest(plan.mode(i)));
            to[i] = ByteString.copyFromUtf8(key + (Entries.highest(plan.mode(i)) + 1));
        }
    }

    int size() {
        return own.length;
    }

    ByteString own(int index) {
        return own[index];
    }

    /** All own entries, in order. */
    List<ByteString> names() {
        return List.of(own);
    }

    /** The first key of the range of conflicting entries. */
    ByteString from(int index) {
        return from[index];
    }

    /** The first key behind that range. */
    ByteString to(int index) {
        return to[index];
    }

    PlannedLock lock(int index) {
        return new PlannedLock(plan.key(index), plan.mode(index));
    }

    List<LockKey> keys() {
        return plan.locks().stream().map(PlannedLock::key).toList();
    }

    @Override
    public String toString() {
        return plan.toString();
    }
}
