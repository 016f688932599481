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
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.TreeScanner;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the body of one method, and knows at each place what is held: whatever is sure here is so in every run. Calls and variables have
 * classes of their own.
 */
final class BodyWalker extends TreeScanner<@Nullable Void, @Nullable Void> {
    private final ClassIndex index;
    private final FlowState flow;
    private final LeaseReader leases;
    private final LeaseVariables variables;
    private final CallWalker calls;
    private @Nullable HeldModel subject; // what a pattern is matched with
    private Set<Object> matched = new HashSet<>(); // the leases that the condition at hand asks for

    BodyWalker(ClassIndex index, ExpressionReader reader, LockContracts contracts, Sites sites, MethodFacts facts) {
        this.index = index;
        flow = new FlowState(sites, facts);
        leases = new LeaseReader(reader, flow);
        variables = new LeaseVariables(index, reader, leases, flow, facts);
        calls = new CallWalker(index, reader, contracts, facts, flow, leases, variables, part -> this.scan(part, null));
    }

    // ---- calls and variables

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree node, @Nullable Void unused) {
        calls.call(node);
        return null;
    }

    @Override
    public @Nullable Void visitNewClass(NewClassTree node, @Nullable Void unused) {
        super.visitNewClass(node, null);
        calls.made(node);
        return null;
    }

    @Override
    public @Nullable Void visitVariable(VariableTree node, @Nullable Void unused) {
        flow.suppressed(Suppressions.isSuppressed(index.element(node)), () -> {
            super.visitVariable(node, null);
            variables.declare(node, subject);
        });
        return null;
    }

    @Override
    public @Nullable Void visitExpressionStatement(ExpressionStatementTree node, @Nullable Void unused) {
        super.visitExpressionStatement(node, null);
        variables.end(node);
        return null;
    }

    @Override
    public @Nullable Void visitAssignment(AssignmentTree node, @Nullable Void unused) {
        scan(node.getExpression(), null);
        variables.assign(node);
        return null;
    }

    // ---- patterns

    @Override
    public @Nullable Void visitInstanceOf(InstanceOfTree node, @Nullable Void unused) {
        scan(node.getExpression(), null);
        HeldModel asked = leases.attemptOrLease(node.getExpression());
        if (asked != null) {
            matched.add(asked.identity());
        }
        match(asked, () -> scan(node.getPattern(), null));
        return null;
    }

    private void match(@Nullable HeldModel lease, Runnable pattern) {
        HeldModel before = subject;
        subject = lease;
        pattern.run();
        subject = before;
    }

    @Override
    public @Nullable Void visitBindingPattern(BindingPatternTree node, @Nullable Void unused) {
        return scan(node.getVariable(), null);
    }

    @Override
    public @Nullable Void visitSwitch(SwitchTree node, @Nullable Void unused) {
        cases(node.getExpression(), node.getCases());
        return null;
    }

    @Override
    public @Nullable Void visitSwitchExpression(SwitchExpressionTree node, @Nullable Void unused) {
        cases(node.getExpression(), node.getCases());
        return null;
    }

    private void cases(ExpressionTree selector, List<? extends CaseTree> cases) {
        scan(selector, null);
        HeldLeases before = flow.held();
        HeldLeases result = before;
        for (CaseTree each : cases) {
            flow.held(before);
            match(leases.attempt(selector), () -> super.visitCase(each, null));
            result = result.merged(flow.held());
        }
        flow.held(result);
    }

    // ---- branches

    @Override
    public @Nullable Void visitBlock(BlockTree node, @Nullable Void unused) {
        flow.block(() -> super.visitBlock(node, null));
        return null;
    }

    @Override
    public @Nullable Void visitIf(IfTree node, @Nullable Void unused) {
        Set<Object> granted = condition(node.getCondition());
        HeldLeases before = flow.held();
        scan(node.getThenStatement(), null);
        HeldLeases afterThen = flow.held();
        flow.held(before);
        scan(node.getElseStatement(), null);
        flow.held(afterIf(node, afterThen, flow.held()));
        granted.removeIf(lease -> afterThen.find(lease) != null); // what is left was granted here, and is closed
        flow.held(flow.held().without(granted::contains));
        return null;
    }

    /** The leases that a condition asks for. */
    private Set<Object> condition(ExpressionTree condition) {
        Set<Object> before = matched;
        Set<Object> asked = new HashSet<>();
        matched = asked;
        scan(condition, null);
        matched = before;
        return asked;
    }

    private static HeldLeases afterIf(IfTree node, HeldLeases afterThen, HeldLeases afterElse) {
        if (endsAbruptly(node.getThenStatement())) {
            return afterElse;
        }
        StatementTree otherwise = node.getElseStatement();
        return otherwise != null && endsAbruptly(otherwise) ? afterThen : afterElse.merged(afterThen);
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
        flow.branch(() -> super.visitWhileLoop(node, null));
        return null;
    }

    @Override
    public @Nullable Void visitDoWhileLoop(DoWhileLoopTree node, @Nullable Void unused) {
        flow.branch(() -> super.visitDoWhileLoop(node, null));
        return null;
    }

    @Override
    public @Nullable Void visitForLoop(ForLoopTree node, @Nullable Void unused) {
        flow.branch(() -> super.visitForLoop(node, null));
        return null;
    }

    @Override
    public @Nullable Void visitEnhancedForLoop(EnhancedForLoopTree node, @Nullable Void unused) {
        flow.branch(() -> super.visitEnhancedForLoop(node, null));
        return null;
    }

    @Override
    public @Nullable Void visitConditionalExpression(ConditionalExpressionTree node, @Nullable Void unused) {
        flow.branch(() -> super.visitConditionalExpression(node, null));
        return null;
    }

    // ---- try

    @Override
    public @Nullable Void visitTry(TryTree node, @Nullable Void unused) {
        HeldLeases before = flow.held();
        flow.block(() -> resourcesAndBlock(node));
        HeldLeases after = flow.held();
        HeldLeases anywhere = before.merged(after);
        for (CatchTree each : node.getCatches()) {
            flow.held(anywhere);
            super.visitCatch(each, null);
            after = endsAbruptly(each.getBlock()) ? after : after.merged(flow.held());
        }
        boolean isMerged = node.getFinallyBlock() != null && !node.getCatches().isEmpty();
        flow.held(isMerged ? after.merged(anywhere) : after);
        scan(node.getFinallyBlock(), null);
        return null;
    }

    private void resourcesAndBlock(TryTree node) {
        flow.caught(!node.getCatches().isEmpty(), () -> {
            node.getResources().forEach(resource -> {
                scan(resource, null);
                variables.open(resource);
            });
            scan(node.getBlock(), null);
        });
        node.getResources().forEach(variables::closeResource);
    }

    // ---- code that runs elsewhere

    @Override
    public @Nullable Void visitLambdaExpression(LambdaExpressionTree node, @Nullable Void unused) {
        flow.elsewhere(() -> super.visitLambdaExpression(node, null));
        return null;
    }

    /** Methods of classes inside are walked through as others are. */
    @Override
    public @Nullable Void visitClass(ClassTree node, @Nullable Void unused) {
        return null;
    }
}
