package dev.lockstep.ordercheck;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import org.jspecify.annotations.Nullable;

/** What becomes of the leases of one method: which variables have them, where they are closed, and which ones are never closed or go out of sight. */
final class LeaseVariables {
    private static final Set<String> ACQUIRE = Set.of("Locks.acquire", "Lease.acquire");

    private final ClassIndex index;
    private final ExpressionReader reader;
    private final LeaseReader leases;
    private final FlowState flow;
    private final MethodFacts facts;

    LeaseVariables(ClassIndex index, ExpressionReader reader, LeaseReader leases, FlowState flow, MethodFacts facts) {
        this.index = index;
        this.reader = reader;
        this.leases = leases;
        this.flow = flow;
        this.facts = facts;
    }

    /**
     * A variable is declared.
     *
     * @param subject what the pattern is matched with that declares it, if one does
     */
    void declare(VariableTree node, @Nullable HeldModel subject) {
        Element variable = index.element(node);
        ExpressionTree initializer = node.getInitializer();
        if (variable == null || variable.getKind() == ElementKind.FIELD) {
            if (initializer != null) {
                stray(initializer);
            }
            return;
        }
        HeldModel matched = variable.getKind() == ElementKind.BINDING_VARIABLE ? subject : null;
        switch (reader.names().role(variable.asType())) {
            case "Lease" -> lease(node, variable, initializer == null ? matched : leases.lease(initializer));
            case "Granted", "Attempt" ->
                attempt(node, variable, initializer == null ? matched : leases.attempt(initializer));
            default -> {}
        }
    }

    private void lease(VariableTree node, Element variable, @Nullable HeldModel lease) {
        ExpressionTree initializer = node.getInitializer();
        if (lease == null) {
            if (!isNothing(variable, initializer)) {
                hold(variable, leases.unknown(node));
            }
            return;
        }
        hold(variable, lease);
        if (variable.getKind() == ElementKind.RESOURCE_VARIABLE) {
            facts.scoped(lease.identity());
        } else if (initializer != null && lease.isSame(leases.acquired(initializer)) && !index.isHandled(variable)) {
            leak(node, initializer);
        }
    }

    private static boolean isNothing(Element variable, @Nullable ExpressionTree initializer) {
        return initializer == null
                ? variable.getKind() == ElementKind.LOCAL_VARIABLE
                : initializer.getKind() == Tree.Kind.NULL_LITERAL;
    }

    private void attempt(VariableTree node, Element variable, @Nullable HeldModel known) {
        HeldModel lease = known == null ? leases.unknown(node) : known;
        leases.nameAttempt(variable, lease);
        if (variable.getKind() == ElementKind.RESOURCE_VARIABLE) {
            hold(variable, lease);
            facts.scoped(lease.identity());
        } else if (flow.held().find(lease.identity()) == null) {
            hold(variable, lease.unsure()); // if it was granted
        }
    }

    private void hold(Element variable, HeldModel lease) {
        leases.name(variable, lease);
        flow.held(flow.held().with(lease));
    }

    void assign(AssignmentTree node) {
        Element variable = reader.names().named(SourceTypes.plain(node.getVariable()));
        HeldModel lease = leases.lease(node.getExpression());
        if (lease != null) {
            facts.stray(lease);
            if (variable != null && variable.getKind() == ElementKind.LOCAL_VARIABLE) {
                hold(variable, lease);
            }
            return;
        }
        HeldModel attempt = leases.attempt(node.getExpression());
        if (attempt != null) {
            facts.stray(attempt);
            if (variable != null) {
                leases.nameAttempt(variable, attempt);
            }
        }
    }

    /** A statement ends: what its expression alone has is lost. */
    void end(ExpressionStatementTree node) {
        if (SourceTypes.plain(node.getExpression()) instanceof MethodInvocationTree call
                && leases.acquired(call) != null
                && ACQUIRE.contains(reader.names().coreMethod(call))) {
            leak(node, call);
        }
    }

    /** A lease with a term ends by itself; and what is handed elsewhere, or in a try, may be there in order to fail. */
    private void leak(Tree at, ExpressionTree acquire) {
        if (!(SourceTypes.plain(acquire) instanceof MethodInvocationTree call)
                || !ACQUIRE.contains(reader.names().coreMethod(call))) {
            return; // a method that hands its lease on has its own request
        }
        RequestModel request = reader.request(call.getArguments().get(0));
        if (!request.hasTerm() && request.complete() && flow.failsToCaller()) {
            facts.leaked(new MethodFacts.Leak(at, request, flow.isSuppressed()));
        }
    }

    /** A lease that goes where it can't be followed may be held anywhere. */
    private void stray(ExpressionTree expression) {
        HeldModel lease = leases.lease(expression);
        if (lease != null) {
            facts.stray(lease);
        }
    }

    /** A lease that is held by a variable alone may be closed by what it is handed to. */
    void handOver(List<? extends ExpressionTree> arguments) {
        for (ExpressionTree each : arguments) {
            HeldModel lease = SourceTypes.plain(each) instanceof MethodInvocationTree call
                    ? leases.acquired(call)
                    : leases.lease(each);
            if (lease != null && !facts.isScoped(lease.identity())) {
                facts.stray(lease);
                flow.held(flow.held().mapped(held -> held.identity() == lease.identity() ? lease.unsure() : held));
            }
        }
    }

    void close(@Nullable ExpressionTree named) {
        HeldModel lease = named == null ? null : leases.leaseOrAttempt(named);
        if (lease != null) {
            flow.held(flow.held().without(lease.identity()::equals));
        }
    }

    /** A try with this resource begins. */
    void open(Tree resource) {
        HeldModel named = resource instanceof ExpressionTree expression ? leases.lease(expression) : null;
        if (named != null) {
            facts.scoped(named.identity());
        }
    }

    /** A try with this resource ends. */
    void closeResource(Tree resource) {
        if (resource instanceof ExpressionTree named) {
            close(named);
        } else {
            Element variable = index.element(resource);
            flow.held(flow.held().without(lease -> leases.isOf(variable, lease)));
        }
    }
}
