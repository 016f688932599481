package dev.lockstep.ordercheck;

import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import java.util.Set;
import java.util.function.Consumer;
import javax.lang.model.element.ExecutableElement;
import org.jspecify.annotations.Nullable;

/** Walks through the calls of one method, and writes down those that request locks or that lead to other methods. */
final class CallWalker {
    private static final Set<String> AT_ONCE = Set.of(
            "java.lang.Iterable.forEach",
            "java.util.List.replaceAll",
            "java.util.Collection.removeIf",
            "java.util.Map.forEach",
            "java.util.Map.computeIfAbsent",
            "java.util.Map.computeIfPresent",
            "java.util.Map.compute",
            "java.util.Map.merge",
            "java.util.Map.replaceAll",
            "java.util.Optional.ifPresent",
            "java.util.Optional.ifPresentOrElse",
            "java.util.Optional.map",
            "java.util.Optional.flatMap",
            "java.util.Optional.filter",
            "java.util.Optional.or",
            "java.util.Optional.orElseGet",
            "java.util.Optional.orElseThrow");

    private final ClassIndex index;
    private final ExpressionReader reader;
    private final NamedValues names;
    private final LockContracts contracts;
    private final MethodFacts facts;
    private final FlowState flow;
    private final LeaseReader leases;
    private final LeaseVariables variables;
    private final Consumer<Tree> walk;

    /** With what walks through the parts of a call. */
    CallWalker(
            ClassIndex index,
            ExpressionReader reader,
            LockContracts contracts,
            MethodFacts facts,
            FlowState flow,
            LeaseReader leases,
            LeaseVariables variables,
            Consumer<Tree> walk) {
        this.index = index;
        this.reader = reader;
        this.names = reader.names();
        this.contracts = contracts;
        this.facts = facts;
        this.flow = flow;
        this.leases = leases;
        this.variables = variables;
        this.walk = walk;
    }

    void call(MethodInvocationTree node) {
        switch (names.coreMethod(node)) {
            case "Locks.run", "Locks.call" -> run(node);
            case "Locks.acquire", "Locks.tryAcquire" -> {
                walkAll(node);
                acquire(node, locks(node), flow.holder(), flow.holder());
            }
            case "Locks.acquireAsync" -> {
                walkAll(node);
                HolderModel parent = flow.holder().parent();
                acquire(node, locks(node), parent == null ? new HolderModel(null) : parent, new HolderModel(null));
            }
            case "Lease.acquire", "Lease.tryAcquire", "Lease.acquireAsync" -> {
                walkAll(node);
                acquireAsChild(node);
            }
            case "Lease.bind" -> bind(node, false);
            case "Lease.close", "Lease.release", "Granted.close" -> {
                walkAll(node);
                variables.close(NamedValues.receiver(node));
            }
            default -> otherCall(node);
        }
    }

    private void walkAll(MethodInvocationTree node) {
        walk.accept(node.getMethodSelect());
        node.getArguments().forEach(walk);
    }

    // ---- requests

    private LocksModel locks(MethodInvocationTree node) {
        return reader.locks(NamedValues.receiver(node));
    }

    /** Writes down a request of the asker, and returns the owner's lease. */
    private HeldModel acquire(MethodInvocationTree node, LocksModel on, HolderModel asker, HolderModel owner) {
        RequestModel request = reader.request(node.getArguments().get(0));
        LockAct.Context context = flow.context(node, asker);
        if (flow.holder().sees(asker) || asker.parent() != null) {
            facts.add(new LockAct.Acquisition(context, request, on));
        }
        return leases.acquire(node, request, on, context, owner);
    }

    private void acquireAsChild(MethodInvocationTree node) {
        HeldModel parent = leaseOfReceiver(node);
        if (parent == null) {
            acquire(node, LocksModel.unknown(), new HolderModel(null), new HolderModel(null));
        } else {
            acquire(node, parent.on(), parent.holder(), new HolderModel(parent.holder()));
        }
    }

    private @Nullable HeldModel leaseOfReceiver(MethodInvocationTree node) {
        ExpressionTree receiver = NamedValues.receiver(node);
        return receiver == null ? null : leases.lease(receiver);
    }

    // ---- tasks

    private void run(MethodInvocationTree node) {
        walk.accept(node.getMethodSelect());
        walk.accept(node.getArguments().get(0));
        HeldModel lease = acquire(node, locks(node), flow.holder(), flow.holder());
        ExpressionTree task = SourceTypes.plain(node.getArguments().get(1));
        facts.scoped(lease.identity());
        flow.under(lease, () -> task(task, lease));
    }

    private void task(ExpressionTree task, HeldModel lease) {
        if (task instanceof LambdaExpressionTree lambda) {
            if (!lambda.getParameters().isEmpty()) {
                leases.name(index.element(lambda.getParameters().get(0)), lease);
            }
            walk.accept(lambda.getBody());
        } else {
            reference(task);
            walk.accept(task instanceof MemberReferenceTree named ? named.getQualifierExpression() : task);
        }
    }

    /** A method that is named as a task is called with what the task gets. */
    private void reference(ExpressionTree task) {
        ExecutableElement method = task instanceof MemberReferenceTree ? names.method(task) : null;
        if (task instanceof MemberReferenceTree reference && method != null && isFollowed(method)) {
            ExpressionTree qualifier = reference.getQualifierExpression();
            boolean self = names.isOfThis(qualifier) && isThis(qualifier);
            facts.add(new LockAct.Call(flow.context(task), method, new CallArguments(self), self));
        }
    }

    private static boolean isThis(ExpressionTree tree) {
        return tree.toString().matches("(\\w+\\.)?this");
    }

    private boolean isFollowed(ExecutableElement method) {
        return index.body(method) != null || !contracts.of(method).equals(LockContracts.Contract.NONE);
    }

    private void bind(MethodInvocationTree node, boolean atOnce) {
        walk.accept(node.getMethodSelect());
        HeldModel lease = leaseOfReceiver(node);
        ExpressionTree task = SourceTypes.plain(node.getArguments().get(0));
        if (task instanceof LambdaExpressionTree lambda) {
            flow.bound(lease, atOnce, () -> walk.accept(lambda.getBody()));
        } else {
            walk.accept(task);
        }
    }

    // ---- other methods

    private void otherCall(MethodInvocationTree node) {
        ExpressionTree receiver = NamedValues.receiver(node);
        if (receiver != null
                && SourceTypes.plain(receiver) instanceof MethodInvocationTree inner
                && names.coreMethod(inner).equals("Lease.bind")) {
            String name = node.getMethodSelect().toString();
            bind(inner, name.endsWith(".run") || name.endsWith(".call"));
            node.getArguments().forEach(walk);
            return;
        }
        walk.accept(node.getMethodSelect());
        boolean atOnce = runsAtOnce(node);
        node.getArguments().forEach(each -> argument(each, atOnce));
        ExecutableElement method = names.method(node);
        if (method != null && isFollowed(method)) {
            boolean self = receiver == null || isThis(receiver);
            facts.add(new LockAct.Call(flow.context(node), method, reader.arguments(node, method), self));
        }
        variables.handOver(node.getArguments());
    }

    private void argument(ExpressionTree argument, boolean runsAtOnce) {
        ExpressionTree plain = SourceTypes.plain(argument);
        if (runsAtOnce && plain instanceof LambdaExpressionTree lambda) {
            flow.branch(() -> walk.accept(lambda.getBody()));
            return;
        }
        if (runsAtOnce) {
            reference(plain);
        }
        walk.accept(argument);
    }

    /** An object is made; its arguments are walked through already. */
    void made(NewClassTree node) {
        ExecutableElement constructor = node.getClassBody() == null ? names.method(node) : null;
        if (constructor != null && index.body(constructor) != null) {
            facts.add(new LockAct.Call(flow.context(node), constructor, new CallArguments(false), false));
        }
        variables.handOver(node.getArguments());
    }

    private boolean runsAtOnce(MethodInvocationTree node) {
        ExecutableElement method = names.method(node);
        if (method == null) {
            return false;
        }
        String name = method.getEnclosingElement() + "." + method.getSimpleName();
        int generic = name.indexOf('<');
        String plain = generic < 0 ? name : name.substring(0, generic) + "." + method.getSimpleName();
        if (AT_ONCE.contains(plain)) {
            return true;
        }
        String receiver = String.valueOf(NamedValues.receiver(node));
        return plain.matches("java\\.util\\.stream\\.\\w*Stream\\.forEach(Ordered)?")
                && receiver.matches("(?s).*(\\.stream\\(\\)|Stream\\.(of|range|rangeClosed)\\().*")
                && !receiver.contains("arallel");
    }
}
