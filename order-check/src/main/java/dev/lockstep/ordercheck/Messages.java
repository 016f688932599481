package dev.lockstep.ordercheck;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The texts of what is reported. They resemble those of the order guard at run time. */
final class Messages {
    private Messages() {}

    /** A request against the order; {@code by} names the method that a call leads to. */
    static String order(GuardModel.Conflict conflict, RequestModel request, @Nullable String by) {
        if (conflict.isUpgrade()) {
            return upgrade(conflict, by);
        }
        String asked = name(conflict.asked());
        return "%s is acquired%s%s while %s is held %s. %s"
                .formatted(
                        asked,
                        inside(conflict.asked(), request),
                        by == null ? "" : " by " + by,
                        name(conflict.held()),
                        conflict.lease().since(),
                        advice(conflict, request));
    }

    private static String advice(GuardModel.Conflict conflict, RequestModel request) {
        KnownKind asked = conflict.asked().kind();
        KnownKind held = conflict.held().kind();
        boolean sameKind = asked != null && held != null && asked.isSame(held);
        String first = sameKind ? "" : ", or acquire " + target(conflict.asked(), request) + " first";
        return "Acquire both in one request: exclusive(a, b)" + first + ".";
    }

    private static String target(LockModel asked, RequestModel request) {
        KnownKind kind = below(asked, request);
        KnownKind own = asked.kind();
        return kind != null ? kind.prefix() : own == null ? "it" : own.prefix();
    }

    private static String inside(LockModel asked, RequestModel request) {
        KnownKind kind = asked.isTarget() ? null : below(asked, request);
        return kind == null ? "" : " as a parent of " + kind.prefix();
    }

    /** The kind of the requested key above which this lock is. */
    private static @Nullable KnownKind below(LockModel asked, RequestModel request) {
        KnownKind own = asked.kind();
        for (RequestModel.Wanted each : request.wanted()) {
            KnownKind kind = each.key().kind();
            if (own != null && kind != null && kind.chain().stream().anyMatch(own::isSame)) {
                return kind;
            }
        }
        return null;
    }

    private static String upgrade(GuardModel.Conflict conflict, @Nullable String by) {
        return "%s is requested %s%s while the same %s is held %s %s. A lock can't be made stronger while it is held: request it %s there."
                .formatted(
                        name(conflict.asked()),
                        adverb(conflict.asked()),
                        by == null ? "" : " by " + by,
                        conflict.asked().kind() == null ? "key" : "one",
                        conflict.held().isTarget() ? adverb(conflict.held()) : "as a parent",
                        conflict.lease().since(),
                        adverb(conflict.asked()));
    }

    private static String adverb(LockModel lock) {
        return lock.strongest() == ModeModel.S ? "shared" : "exclusively";
    }

    private static String name(LockModel lock) {
        KnownKind kind = lock.kind();
        return kind == null ? "The key" : kind.toString();
    }

    static String possible(String certain) {
        return certain + " This is right only if the ids make the held lock cover it.";
    }

    static String leak(RequestModel request) {
        String kinds = request.wanted().stream()
                .map(each -> each.key().kind() == null ? "a key" : each.key().kind() + "")
                .distinct()
                .collect(Collectors.joining(", "));
        return "The lease on " + kinds
                + " is never closed, and is renewed until its Locks are closed. Use try-with-resources or run(request, task), or give"
                + " it a term: forTerm(duration).";
    }

    static String selfCall(String method) {
        return method
                + " is @Locked and called on the same object, past the proxy that locks: nothing is acquired. Call it through another"
                + " bean, or use Locks.run here.";
    }

    static String notHeld(String method, String prefix, List<HeldModel> held, String caller) {
        String here = held.stream()
                .flatMap(lease -> lease.locks().stream())
                .filter(LockModel::isTarget)
                .map(Messages::name)
                .distinct()
                .collect(Collectors.joining(", "));
        return method + " must be called with a lock of " + prefix + " held (@Holds), and here "
                + (here.isEmpty() ? "nothing is held" : "only " + here + " is held") + ". Acquire " + prefix
                + " around the call, or annotate " + caller + " with @Holds(\"" + prefix + "\").";
    }

    static String contradiction(String field, KnownKind annotated, KnownKind made) {
        return "@Ranked on " + field + " says " + path(annotated) + ", and its value is " + path(made)
                + ". Make them equal: classes that are compiled later see the annotation.";
    }

    private static String path(KnownKind kind) {
        KnownKind parent = kind.parent();
        return parent == null ? kind.toString() : kind + " in " + path(parent);
    }

    static String fault(Throwable fault, String where) {
        StackTraceElement[] stack = fault.getStackTrace();
        return "The lock order of " + where + " was not checked: the order check failed with " + fault
                + (stack.length == 0 ? "" : " at " + stack[0])
                + ". The build is not affected. Please report this with the source of the class; -Xplugin:\"Lockstep off\" silences it.";
    }
}
