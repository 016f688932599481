package dev.lockstep.ordercheck;

import com.sun.source.tree.Tree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Element;

/** What one method does about locks. */
final class MethodFacts {
    /** A lease that is never closed. */
    record Leak(Tree at, RequestModel request, boolean suppressed) {}

    private final Element owner;
    private final HolderModel holder;
    private final List<HeldModel> heldAtEntry;
    private final List<LockAct> acts = new ArrayList<>();
    private final List<Leak> leaks = new ArrayList<>();
    private final List<HeldModel> strays = new ArrayList<>();
    private final Set<Object> scoped = new HashSet<>();

    /** The facts of a method, or of a class's initializers. */
    MethodFacts(Element owner, HolderModel holder, List<HeldModel> heldAtEntry) {
        this.owner = owner;
        this.holder = holder;
        this.heldAtEntry = heldAtEntry;
    }

    Element owner() {
        return owner;
    }

    HolderModel holder() {
        return holder;
    }

    List<HeldModel> heldAtEntry() {
        return heldAtEntry;
    }

    List<LockAct> acts() {
        return acts;
    }

    List<Leak> leaks() {
        return leaks;
    }

    /** The leases that may be held after the statement that acquired them, anywhere in the class. */
    List<HeldModel> strays() {
        return strays;
    }

    void add(LockAct act) {
        acts.add(act);
    }

    void leaked(Leak leak) {
        leaks.add(leak);
    }

    void stray(HeldModel lease) {
        strays.add(lease.unsure());
    }

    /** A lease that ends with a statement, whatever it is handed to. */
    void scoped(Object lease) {
        scoped.add(lease);
    }

    boolean isScoped(Object lease) {
        return scoped.contains(lease);
    }
}
