package dev.lockstep.ordercheck;

import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import org.jspecify.annotations.Nullable;

/** Reads which leases expressions of one method name or acquire. */
final class LeaseReader {
    private final ExpressionReader reader;
    private final NamedValues names;
    private final FlowState flow;
    private final IdentityHashMap<Tree, HeldModel> acquired = new IdentityHashMap<>();
    private final Map<Element, HeldModel> attempts = new HashMap<>();
    private final Map<Element, Object> ofVariables = new HashMap<>();

    LeaseReader(ExpressionReader reader, FlowState flow) {
        this.reader = reader;
        this.names = reader.names();
        this.flow = flow;
        for (HeldModel each : flow.held().all()) {
            if (each.identity() instanceof Element parameter) {
                ofVariables.put(parameter, parameter);
            }
        }
    }

    /**
     * The lease that a call acquires.
     *
     * @param context where, as the holder sees it that acquires it
     */
    HeldModel acquire(
            MethodInvocationTree call,
            RequestModel request,
            LocksModel on,
            LockAct.Context context,
            HolderModel owner) {
        List<LockModel> rest =
                GuardModel.decide(request, on, context.held(), List.of()).rest();
        HeldModel lease = new HeldModel(
                new Object(),
                request,
                rest,
                request.complete(),
                owner,
                on,
                true,
                "since line " + context.site().line(),
                context.site());
        acquired.put(call, lease);
        return lease;
    }

    /** A lease that comes from somewhere else. */
    HeldModel unknown(Tree at) {
        CodeSite site = flow.site(at);
        return HeldModel.unknown(new Object(), flow.holder(), "since line " + site.line(), site);
    }

    /** The lease that an expression itself acquires. */
    @Nullable
    HeldModel acquired(ExpressionTree tree) {
        return acquired.get(SourceTypes.plain(tree));
    }

    /** The lease that an expression names or acquires; null if it is not known. */
    @Nullable
    HeldModel lease(ExpressionTree tree) {
        ExpressionTree plain = SourceTypes.plain(tree);
        if (plain instanceof MethodInvocationTree call) {
            return leaseOf(call);
        }
        Element variable = names.named(plain);
        return variable == null ? null : flow.held().find(ofVariables.get(variable));
    }

    private @Nullable HeldModel leaseOf(MethodInvocationTree call) {
        String method = names.coreMethod(call);
        HeldModel direct = acquired.get(call);
        if (direct != null) {
            return method.endsWith(".acquire") || method.isEmpty() ? direct : null;
        }
        ExpressionTree receiver = NamedValues.receiver(call);
        return method.equals("Granted.lease") && receiver != null ? attempt(receiver) : returned(call);
    }

    /** The lease of a method that does nothing but acquire and return it. */
    private @Nullable HeldModel returned(MethodInvocationTree call) {
        ExecutableElement method = names.method(call);
        if (method == null || !names.role(method.getReturnType()).equals("Lease")) {
            return null;
        }
        ExpressionTree expression = names.returnedExpression(method);
        if (expression == null
                || !(SourceTypes.plain(expression) instanceof MethodInvocationTree inner)
                || !names.coreMethod(inner).equals("Locks.acquire")) {
            return null;
        }
        CallArguments arguments = reader.arguments(call, method);
        LocksModel on = arguments.locks(reader.locks(NamedValues.receiver(inner)));
        RequestModel request =
                arguments.request(reader.request(inner.getArguments().get(0)));
        return acquire(call, request, on, flow.context(call), flow.holder());
    }

    /** The lease that may be granted, by an expression that asks for it. */
    @Nullable
    HeldModel attempt(ExpressionTree tree) {
        HeldModel direct = acquired(tree);
        if (direct != null) {
            return direct;
        }
        Element variable = names.named(SourceTypes.plain(tree));
        return variable == null ? null : attempts.get(variable);
    }

    @Nullable
    HeldModel attemptOrLease(ExpressionTree tree) {
        HeldModel attempt = attempt(tree);
        return attempt == null ? lease(tree) : attempt;
    }

    @Nullable
    HeldModel leaseOrAttempt(ExpressionTree tree) {
        HeldModel lease = lease(tree);
        return lease == null ? attempt(tree) : lease;
    }

    void nameAttempt(Element variable, HeldModel lease) {
        attempts.put(variable, lease);
    }

    void name(@Nullable Element variable, HeldModel lease) {
        if (variable != null) {
            ofVariables.put(variable, lease.identity());
        }
    }

    /** Whether a variable has that lease. */
    boolean isOf(@Nullable Element variable, Object lease) {
        return variable != null && lease.equals(ofVariables.get(variable));
    }
}
