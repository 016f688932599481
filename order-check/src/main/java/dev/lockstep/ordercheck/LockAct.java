package dev.lockstep.ordercheck;

import com.sun.source.tree.Tree;
import java.util.List;
import javax.lang.model.element.ExecutableElement;

/** Something that a method does about locks. */
sealed interface LockAct {
    /** Where, and what is held there. */
    Context context();

    /**
     * Where something happens.
     *
     * @param held what is held there for the holder that does it
     * @param attached whether it happens on the holder that the method was called with, before the method returns
     * @param closed whether what is held there is all that can be; otherwise unknown code may hold more around it
     */
    record Context(
            Tree at, CodeSite site, List<HeldModel> held, boolean attached, boolean closed, boolean suppressed) {}

    /** A request. */
    record Acquisition(Context context, RequestModel request, LocksModel on) implements LockAct {}

    /**
     * A call of a method that has a body in the same top-level class, or a contract.
     *
     * @param self whether it is called on the same object, past any proxy
     */
    record Call(Context context, ExecutableElement method, CallArguments arguments, boolean self) implements LockAct {}
}
