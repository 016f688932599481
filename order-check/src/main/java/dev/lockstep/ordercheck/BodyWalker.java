package dev.lockstep.ordercheck;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BindingPatternTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.DoWhileLoopTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.InstanceOfTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.VariableElement;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the body of one method, knows at each place what is held, and writes down the requests and calls.
 *
 * <p>What happens in a branch only becomes unsure after it; what happens in code that is handed elsewhere may happen at any time. So whatever is sure here
 * is so in every run.
 */
final class BodyWalker extends TreeScanner<@Nullable Void, @Nullable Void> {
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

    private final SourceTypes types;
    private final ExpressionReader reader;
    private final ClassIndex index;
    private final LockContracts contracts;
    private final Predicate<ExecutableElement> followed;
    private final Sites sites;
    private final MethodFacts facts;

    private final IdentityHashMap<Tree, HeldModel> acquired = new IdentityHashMap<>();
    private final Map<Element, HeldModel> attempts = new HashMap<>();
    private final Map<Element, Object> leaseOfVariable = new HashMap<>();
    private List<HeldModel> held;
    private HolderModel holder;
    private @Nullable HeldModel subject; // what a pattern is matched with
    private Set<Object> matched = new HashSet<>(); // the leases that the condition at hand asks for
    private boolean attached = true;
    private boolean closed = true;
    private int suppressed;
    private int triesWithCatch;

    BodyWalker(
            SourceTypes types,
            ExpressionReader reader,
            ClassIndex index,
            LockContracts contracts,
            Predicate<ExecutableElement> followed,
            Sites sites,
            MethodFacts facts) {
        this.types = types;
        this.reader = reader;
        this.index = index;
        this.contracts = contracts;
        this.followed = followed;
        this.sites = sites;
        this.facts = facts;
        this.held = new ArrayList<>(facts.heldAtEntry());
        this.holder = facts.holder();
        for (HeldModel each : held) {
            if (each.identity() instanceof Element parameter) {
                leaseOfVariable.put(parameter, parameter);
            }
        }
    }

    // ---- calls

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree node, @Nullable Void unused) {
        switch (reader.coreMethod(node)) {
            case "Locks.run", "Locks.call" -> run(node);
            case "Locks.acquire", "Locks.tryAcquire" -> {
                scanAll(node);
                acquire(node, ExpressionReader.receiver(node), holder, holder);
            }
            case "Locks.acquireAsync" -> {
                scanAll(node);
                HolderModel parent = holder.parent();
                acquire(node, ExpressionReader.receiver(node), parent == null ? new HolderModel(null) : parent, null);
            }
            case "Lease.acquire", "Lease.tryAcquire", "Lease.acquireAsync" -> {
                scanAll(node);
                acquireAsChild(node);
            }
            case "Lease.bind" -> bind(node, false);
            case "Lease.close", "Lease.release", "Granted.close" -> {
                scanAll(node);
                close(ExpressionReader.receiver(node));
            }
            default -> otherCall(node);
        }
        return null;
    }

    private void scanAll(MethodInvocationTree node) {
        scan(node.getMethodSelect(), null);
        scan(node.getArguments(), null);
    }

    private void run(MethodInvocationTree node) {
        scan(node.getMethodSelect(), null);
        scan(node.getArguments().get(0), null);
        HeldModel lease = acquire(node, ExpressionReader.receiver(node), holder, holder);
        ExpressionTree task = SourceTypes.plain(node.getArguments().get(1));
        facts.scoped(lease.identity());
        List<HeldModel> before = held;
        held = new ArrayList<>(before);
        held.add(lease);
        if (task instanceof LambdaExpressionTree lambda) {
            if (!lambda.getParameters().isEmpty()) {
                know(index.element(lambda.getParameters().get(0)), lease);
            }
            scan(lambda.getBody(), null);
        } else {
            reference(task);
            scanUnlessReference(task);
        }
        List<HeldModel> after = held;
        held = merged(before, after);
    }

    private void scanUnlessReference(ExpressionTree task) {
        scan(task instanceof MemberReferenceTree reference ? reference.getQualifierExpression() : task, null);
    }

    /** A method that is named as a task is called with what the task gets. */
    private void reference(ExpressionTree task) {
        if (task instanceof MemberReferenceTree reference
                && index.element(reference) instanceof ExecutableElement method
                && isFollowed(method)) {
            boolean self = reader.isOfThis(reference.getQualifierExpression())
                    && reference.getQualifierExpression().toString().matches("(\\w+\\.)?this");
            facts.add(new LockAct.Call(context(task), method, new CallArguments(self), self));
        }
    }

    private boolean isFollowed(ExecutableElement method) {
        return followed.test(method) || !contracts.of(method).equals(LockContracts.Contract.NONE);
    }

    /**
     * Writes down a request of that holder, and returns the lease.
     *
     * @param owner whose the lease is; null for a new holder
     */
    private HeldModel acquire(
            MethodInvocationTree node,
            @Nullable ExpressionTree receiver,
            HolderModel asker,
            @Nullable HolderModel owner) {
        return acquire(node, reader.locks(receiver), asker, owner);
    }

    private HeldModel acquire(
            MethodInvocationTree node, LocksModel on, HolderModel asker, @Nullable HolderModel owner) {
        RequestModel request = reader.request(node.getArguments().get(0));
        LockAct.Context context = context(node, asker);
        if (holder.sees(asker) || asker.parent() != null) {
            facts.add(new LockAct.Acquisition(context, request, on));
        }
        List<LockModel> rest =
                GuardModel.decide(request, on, context.held(), List.of()).rest();
        HeldModel lease = new HeldModel(
                new Object(),
                request,
                rest,
                request.complete(),
                owner == null ? new HolderModel(null) : owner,
                on,
                true,
                "since line " + context.site().line(),
                context.site());
        acquired.put(node, lease);
        return lease;
    }

    private void acquireAsChild(MethodInvocationTree node) {
        ExpressionTree receiver = ExpressionReader.receiver(node);
        HeldModel parent = receiver == null ? null : lease(receiver);
        if (parent == null) {
            acquire(node, LocksModel.unknown(), new HolderModel(null), null);
        } else {
            acquire(node, parent.on(), parent.holder(), new HolderModel(parent.holder()));
        }
    }

    private void bind(MethodInvocationTree node, boolean atOnce) {
        scan(node.getMethodSelect(), null);
        ExpressionTree receiver = ExpressionReader.receiver(node);
        HeldModel lease = receiver == null ? null : lease(receiver);
        ExpressionTree task = SourceTypes.plain(node.getArguments().get(0));
        if (!(task instanceof LambdaExpressionTree lambda)) {
            scan(task, null);
            return;
        }
        List<HeldModel> before = held;
        HolderModel holderBefore = holder;
        boolean attachedBefore = attached;
        boolean closedBefore = closed;
        holder = new HolderModel(lease == null ? null : lease.holder());
        held = new ArrayList<>(before);
        if (!atOnce || lease == null) {
            held.replaceAll(each -> isSame(each, lease) ? each : each.unsure());
            attached = false;
        }
        closed = lease != null;
        scan(lambda.getBody(), null);
        List<HeldModel> after = held;
        holder = holderBefore;
        attached = attachedBefore;
        closed = closedBefore;
        held = merged(before, after);
    }

    private void otherCall(MethodInvocationTree node) {
        ExpressionTree receiver = ExpressionReader.receiver(node);
        if (receiver != null
                && SourceTypes.plain(receiver) instanceof MethodInvocationTree inner
                && reader.coreMethod(inner).equals("Lease.bind")) {
            String name = node.getMethodSelect().toString();
            bind(inner, name.endsWith(".run") || name.endsWith(".call"));
            scan(node.getArguments(), null);
            return;
        }
        scan(node.getMethodSelect(), null);
        boolean atOnce = runsAtOnce(node);
        for (ExpressionTree each : node.getArguments()) {
            ExpressionTree argument = SourceTypes.plain(each);
            if (atOnce && argument instanceof LambdaExpressionTree lambda) {
                branch(() -> scan(lambda.getBody(), null));
            } else {
                if (atOnce) {
                    reference(argument);
                }
                scan(each, null);
            }
        }
        if (index.element(node) instanceof ExecutableElement method && isFollowed(method)) {
            boolean self = isSelf(node);
            facts.add(new LockAct.Call(context(node), method, reader.arguments(node, method), self));
        }
        escape(node.getArguments());
    }

    private boolean isSelf(MethodInvocationTree node) {
        ExpressionTree receiver = ExpressionReader.receiver(node);
        return receiver == null || receiver.toString().matches("(\\w+\\.)?this");
    }

    @Override
    public @Nullable Void visitNewClass(NewClassTree node, @Nullable Void unused) {
        super.visitNewClass(node, null);
        if (node.getClassBody() == null
                && index.element(node) instanceof ExecutableElement constructor
                && followed.test(constructor)) {
            facts.add(new LockAct.Call(context(node), constructor, new CallArguments(false), false));
        }
        escape(node.getArguments());
        return null;
    }

    /** A lease that is held by a variable alone may be closed by what it is handed to. */
    private void escape(List<? extends ExpressionTree> arguments) {
        for (ExpressionTree each : arguments) {
            HeldModel direct = acquired.get(SourceTypes.plain(each));
            HeldModel lease = SourceTypes.plain(each) instanceof MethodInvocationTree ? direct : lease(each);
            if (lease != null && !facts.isScoped(lease.identity())) {
                facts.stray(lease);
                replace(lease, lease.unsure());
            }
        }
    }

    private boolean runsAtOnce(MethodInvocationTree node) {
        if (!(index.element(node) instanceof ExecutableElement method)) {
            return false;
        }
        String name = method.getEnclosingElement() + "." + method.getSimpleName();
        int generic = name.indexOf('<');
        String plain = generic < 0 ? name : name.substring(0, generic) + "." + method.getSimpleName();
        if (AT_ONCE.contains(plain)) {
            return true;
        }
        String receiver = String.valueOf(ExpressionReader.receiver(node));
        return plain.matches("java\\.util\\.stream\\.\\w*Stream\\.forEach(Ordered)?")
                && receiver.matches("(?s).*(\\.stream\\(\\)|Stream\\.(of|range|rangeClosed)\\().*")
                && !receiver.contains("arallel");
    }

    // ---- leases

    /** The lease that an expression names or acquires; null if it is not known. */
    private @Nullable HeldModel lease(ExpressionTree tree) {
        ExpressionTree plain = SourceTypes.plain(tree);
        if (plain instanceof MethodInvocationTree call) {
            String method = reader.coreMethod(call);
            HeldModel direct = acquired.get(plain);
            if (direct != null) {
                return method.endsWith(".acquire") || method.isEmpty() ? direct : null;
            }
            ExpressionTree receiver = ExpressionReader.receiver(call);
            return method.equals("Granted.lease") && receiver != null ? attempt(receiver) : returnedLease(call);
        }
        Element variable = reader.named(plain);
        if (variable == null) {
            return null;
        }
        return held(leaseOfVariable.get(variable));
    }

    /** The lease of a method that does nothing but acquire and return it. */
    private @Nullable HeldModel returnedLease(MethodInvocationTree call) {
        if (!(index.element(call) instanceof ExecutableElement method)
                || !types.role(method.getReturnType()).equals("Lease")) {
            return null;
        }
        ExpressionTree expression = reader.returnedExpression(method);
        if (expression == null
                || !(SourceTypes.plain(expression) instanceof MethodInvocationTree inner)
                || !reader.coreMethod(inner).equals("Locks.acquire")) {
            return null;
        }
        CallArguments arguments = reader.arguments(call, method);
        LocksModel on = arguments.locks(reader.locks(ExpressionReader.receiver(inner)));
        RequestModel request =
                arguments.request(reader.request(inner.getArguments().get(0)));
        LockAct.Context context = context(call);
        List<LockModel> rest =
                GuardModel.decide(request, on, context.held(), List.of()).rest();
        HeldModel lease = new HeldModel(
                new Object(),
                request,
                rest,
                request.complete(),
                holder,
                on,
                true,
                "since line " + context.site().line(),
                context.site());
        acquired.put(call, lease);
        return lease;
    }

    private @Nullable HeldModel attempt(ExpressionTree tree) {
        ExpressionTree plain = SourceTypes.plain(tree);
        HeldModel direct = acquired.get(plain);
        if (direct != null) {
            return direct;
        }
        Element variable = reader.named(plain);
        return variable == null ? null : attempts.get(variable);
    }

    private void know(@Nullable Element variable, HeldModel lease) {
        if (variable != null) {
            leaseOfVariable.put(variable, lease.identity());
        }
    }

    private void hold(@Nullable Element variable, HeldModel lease) {
        know(variable, lease);
        List<HeldModel> all = new ArrayList<>(held);
        all.removeIf(each -> each.identity() == lease.identity());
        all.add(lease);
        held = all;
    }

    private static boolean isSame(HeldModel one, @Nullable HeldModel other) {
        return other != null && one.identity().equals(other.identity());
    }

    private @Nullable HeldModel held(@Nullable Object identity) {
        for (HeldModel each : held) {
            if (each.identity() == identity) {
                return each;
            }
        }
        return null;
    }

    /** What is left of what was held before, after a block or a try: what was unsure before is so again. */
    private List<HeldModel> left(List<HeldModel> before) {
        List<HeldModel> left = new ArrayList<>();
        for (HeldModel each : before) {
            HeldModel now = held(each.identity());
            if (now != null) {
                left.add(each.sure() ? now : each);
            }
        }
        return left;
    }

    private HeldModel unknownLease(Tree at) {
        CodeSite site = sites.of(at);
        return new HeldModel(
                new Object(),
                RequestModel.unknown(null),
                List.of(),
                false,
                holder,
                LocksModel.unknown(),
                false,
                "since line " + site.line(),
                site);
    }

    private void close(@Nullable ExpressionTree receiver) {
        HeldModel lease = receiver == null ? null : lease(receiver);
        if (lease == null && receiver != null) {
            lease = attempt(receiver);
        }
        if (lease != null) {
            Object closed = lease.identity();
            List<HeldModel> left = new ArrayList<>(held);
            left.removeIf(each -> each.identity() == closed);
            held = left;
        }
    }

    private void replace(HeldModel old, HeldModel changed) {
        List<HeldModel> all = new ArrayList<>(held);
        all.replaceAll(each -> each.identity() == old.identity() ? changed : each);
        held = all;
    }

    @Override
    public @Nullable Void visitVariable(VariableTree node, @Nullable Void unused) {
        suppressed += Suppressions.isSuppressed(index.element(node)) ? 1 : 0;
        super.visitVariable(node, null);
        Element variable = index.element(node);
        ExpressionTree initializer = node.getInitializer();
        if (variable != null && variable.getKind() != ElementKind.FIELD) {
            switch (types.role(variable.asType())) {
                case "Lease" -> leaseVariable(node, variable, initializer);
                case "Granted", "Attempt" -> attemptVariable(node, variable, initializer);
                default -> {}
            }
        } else if (initializer != null) {
            stray(initializer);
        }
        suppressed -= Suppressions.isSuppressed(index.element(node)) ? 1 : 0;
        return null;
    }

    private void leaseVariable(VariableTree node, Element variable, @Nullable ExpressionTree initializer) {
        HeldModel lease = initializer == null ? subjectOf(variable) : lease(initializer);
        if (lease == null) {
            boolean isNothing = initializer == null
                    ? variable.getKind() == ElementKind.LOCAL_VARIABLE
                    : initializer.getKind() == Tree.Kind.NULL_LITERAL;
            if (!isNothing) {
                hold(variable, unknownLease(node));
            }
            return;
        }
        hold(variable, lease);
        if (variable.getKind() == ElementKind.RESOURCE_VARIABLE) {
            facts.scoped(lease.identity());
        } else if (initializer != null
                && isSame(lease, acquired.get(SourceTypes.plain(initializer)))
                && !index.isHandled(variable)) {
            leak(node, initializer);
        }
    }

    private void attemptVariable(VariableTree node, Element variable, @Nullable ExpressionTree initializer) {
        HeldModel lease = initializer == null ? subjectOf(variable) : attempt(initializer);
        if (lease == null) {
            lease = unknownLease(node);
        }
        attempts.put(variable, lease);
        if (variable.getKind() == ElementKind.RESOURCE_VARIABLE) {
            hold(variable, lease);
            facts.scoped(lease.identity());
        } else if (held(lease.identity()) == null) {
            hold(variable, lease.unsure()); // if it was granted
        }
    }

    private @Nullable HeldModel subjectOf(Element variable) {
        return variable.getKind() == ElementKind.BINDING_VARIABLE ? subject : null;
    }

    @Override
    public @Nullable Void visitExpressionStatement(ExpressionStatementTree node, @Nullable Void unused) {
        super.visitExpressionStatement(node, null);
        ExpressionTree expression = SourceTypes.plain(node.getExpression());
        if (expression instanceof MethodInvocationTree call
                && acquired.containsKey(call)
                && Set.of("Locks.acquire", "Lease.acquire").contains(reader.coreMethod(call))) {
            leak(node, call);
        }
        return null;
    }

    /** A lease with a term ends by itself; and what is handed elsewhere, or in a try, may be there in order to fail. */
    private void leak(Tree at, ExpressionTree acquire) {
        if (SourceTypes.plain(acquire) instanceof MethodInvocationTree call
                && !reader.request(call.getArguments().get(0)).hasTerm()
                && reader.request(call.getArguments().get(0)).complete()
                && attached
                && triesWithCatch == 0) {
            facts.leaked(
                    new MethodFacts.Leak(at, reader.request(call.getArguments().get(0)), suppressed > 0));
        }
    }

    @Override
    public @Nullable Void visitAssignment(AssignmentTree node, @Nullable Void unused) {
        scan(node.getExpression(), null);
        HeldModel lease = lease(node.getExpression());
        Element variable = reader.named(SourceTypes.plain(node.getVariable()));
        if (lease == null) {
            lease = attempt(node.getExpression());
            if (lease != null) {
                facts.stray(lease);
                if (variable != null) {
                    attempts.put(variable, lease);
                }
            }
            return null;
        }
        facts.stray(lease);
        if (variable != null && variable.getKind() == ElementKind.LOCAL_VARIABLE) {
            hold(variable, lease);
        }
        return null;
    }

    /** A lease that goes where it can't be followed may be held anywhere. */
    private void stray(ExpressionTree expression) {
        HeldModel lease = lease(expression);
        if (lease != null) {
            facts.stray(lease);
        }
    }

    // ---- patterns

    @Override
    public @Nullable Void visitInstanceOf(InstanceOfTree node, @Nullable Void unused) {
        scan(node.getExpression(), null);
        matched(node.getExpression(), () -> scan(node.getPattern(), null));
        return null;
    }

    private void matched(ExpressionTree expression, Runnable pattern) {
        HeldModel before = subject;
        subject = attempt(expression);
        if (subject == null) {
            subject = lease(expression);
        }
        if (subject != null) {
            matched.add(subject.identity());
        }
        pattern.run();
        subject = before;
    }

    @Override
    public @Nullable Void visitBindingPattern(BindingPatternTree node, @Nullable Void unused) {
        return scan(node.getVariable(), null);
    }

    @Override
    public @Nullable Void visitSwitch(SwitchTree node, @Nullable Void unused) {
        scan(node.getExpression(), null);
        cases(node.getExpression(), node.getCases());
        return null;
    }

    @Override
    public @Nullable Void visitSwitchExpression(SwitchExpressionTree node, @Nullable Void unused) {
        scan(node.getExpression(), null);
        cases(node.getExpression(), node.getCases());
        return null;
    }

    private void cases(ExpressionTree selector, List<? extends CaseTree> cases) {
        List<HeldModel> before = held;
        List<HeldModel> result = before;
        for (CaseTree each : cases) {
            held = before;
            HeldModel subjectBefore = subject;
            subject = attempt(selector);
            super.visitCase(each, null);
            subject = subjectBefore;
            result = merged(result, held);
        }
        held = result;
    }

    // ---- the flow

    private void branch(Runnable body) {
        List<HeldModel> before = held;
        body.run();
        held = merged(before, held);
    }

    /** What is held whichever of the two ways was taken. */
    private static List<HeldModel> merged(List<HeldModel> one, List<HeldModel> other) {
        List<HeldModel> all = new ArrayList<>();
        for (HeldModel each : one) {
            boolean isSure = other.stream().anyMatch(found -> found.identity() == each.identity() && found.sure());
            all.add(isSure ? each : each.unsure());
        }
        return all;
    }

    @Override
    public @Nullable Void visitBlock(BlockTree node, @Nullable Void unused) {
        List<HeldModel> before = held;
        super.visitBlock(node, null);
        held = left(before);
        return null;
    }

    @Override
    public @Nullable Void visitIf(IfTree node, @Nullable Void unused) {
        Set<Object> matchedBefore = matched;
        matched = new HashSet<>();
        scan(node.getCondition(), null);
        Set<Object> granted = matched;
        matched = matchedBefore;
        List<HeldModel> before = held;
        scan(node.getThenStatement(), null);
        granted.removeIf(lease -> held(lease) != null); // what is left was granted here, and is closed
        List<HeldModel> afterThen = endsAbruptly(node.getThenStatement()) ? null : held;
        held = before;
        StatementTree otherwise = node.getElseStatement();
        scan(otherwise, null);
        if (afterThen != null) {
            held = otherwise != null && endsAbruptly(otherwise) ? afterThen : merged(held, afterThen);
        }
        remove(granted::contains);
        return null;
    }

    private static boolean endsAbruptly(StatementTree statement) {
        StatementTree last = statement;
        while (last instanceof BlockTree block && !block.getStatements().isEmpty()) {
            last = block.getStatements().get(block.getStatements().size() - 1);
        }
        return switch (last.getKind()) {
            case RETURN, THROW, CONTINUE -> true;
            default -> false;
        };
    }

    @Override
    public @Nullable Void visitWhileLoop(WhileLoopTree node, @Nullable Void unused) {
        branch(() -> super.visitWhileLoop(node, null));
        return null;
    }

    @Override
    public @Nullable Void visitDoWhileLoop(DoWhileLoopTree node, @Nullable Void unused) {
        branch(() -> super.visitDoWhileLoop(node, null));
        return null;
    }

    @Override
    public @Nullable Void visitForLoop(ForLoopTree node, @Nullable Void unused) {
        branch(() -> super.visitForLoop(node, null));
        return null;
    }

    @Override
    public @Nullable Void visitEnhancedForLoop(EnhancedForLoopTree node, @Nullable Void unused) {
        branch(() -> super.visitEnhancedForLoop(node, null));
        return null;
    }

    @Override
    public @Nullable Void visitConditionalExpression(ConditionalExpressionTree node, @Nullable Void unused) {
        branch(() -> super.visitConditionalExpression(node, null));
        return null;
    }

    @Override
    public @Nullable Void visitTry(TryTree node, @Nullable Void unused) {
        List<HeldModel> before = held;
        triesWithCatch += node.getCatches().isEmpty() ? 0 : 1;
        for (Tree resource : node.getResources()) {
            scan(resource, null);
            HeldModel named = resource instanceof ExpressionTree expression ? lease(expression) : null;
            if (named != null) {
                facts.scoped(named.identity());
            }
        }
        scan(node.getBlock(), null);
        triesWithCatch -= node.getCatches().isEmpty() ? 0 : 1;
        closeResources(node);
        held = left(before);
        List<HeldModel> after = held;
        List<HeldModel> anywhere = merged(before, after);
        for (CatchTree each : node.getCatches()) {
            held = anywhere;
            super.visitCatch(each, null);
            if (!endsAbruptly(each.getBlock())) {
                after = merged(after, held);
            }
        }
        held = node.getFinallyBlock() == null || node.getCatches().isEmpty() ? after : merged(after, anywhere);
        scan(node.getFinallyBlock(), null);
        return null;
    }

    private void closeResources(TryTree node) {
        for (Tree resource : node.getResources()) {
            if (resource instanceof ExpressionTree named) {
                close(named);
            } else {
                Element variable = index.element(resource);
                Object closed = variable == null ? null : leaseOfVariable.get(variable);
                remove(each -> each.equals(closed));
            }
        }
    }

    private void remove(Predicate<Object> closed) {
        List<HeldModel> open = new ArrayList<>(held);
        open.removeIf(each -> closed.test(each.identity()));
        held = open;
    }

    // ---- code that runs elsewhere

    @Override
    public @Nullable Void visitLambdaExpression(LambdaExpressionTree node, @Nullable Void unused) {
        elsewhere(() -> super.visitLambdaExpression(node, null));
        return null;
    }

    private void elsewhere(Runnable walk) {
        List<HeldModel> before = held;
        boolean attachedBefore = attached;
        boolean closedBefore = closed;
        held = new ArrayList<>(before);
        held.replaceAll(HeldModel::unsure);
        attached = false;
        closed = false;
        walk.run();
        attached = attachedBefore;
        closed = closedBefore;
        List<HeldModel> inside = held;
        held = new ArrayList<>(before);
        held.replaceAll(each -> inside.stream().anyMatch(found -> found.identity() == each.identity())
                ? each
                : each.unsure()); // closed in there, at some time
    }

    /** Methods of classes inside are walked through as others are. */
    @Override
    public @Nullable Void visitClass(ClassTree node, @Nullable Void unused) {
        return null;
    }

    // ---- places

    private LockAct.Context context(Tree at) {
        return context(at, holder);
    }

    private LockAct.Context context(Tree at, HolderModel asker) {
        List<HeldModel> seen =
                held.stream().filter(each -> asker.sees(each.holder())).toList();
        return new LockAct.Context(at, sites.of(at), seen, attached, closed, suppressed > 0);
    }

    /** The leases that a method gets as parameters: what they hold is not known. */
    static List<HeldModel> leasesOf(ExecutableElement method, SourceTypes types, HolderModel holder, CodeSite site) {
        List<HeldModel> leases = new ArrayList<>();
        for (VariableElement parameter : method.getParameters()) {
            String role = types.role(parameter.asType());
            if (role.equals("Lease") || role.equals("Granted")) {
                leases.add(new HeldModel(
                        parameter,
                        RequestModel.unknown(null),
                        List.of(),
                        false,
                        holder,
                        LocksModel.unknown(),
                        false,
                        "by the caller",
                        site));
            }
        }
        return leases;
    }
}
