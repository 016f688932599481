package dev.lockstep.ordercheck;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;
import org.jspecify.annotations.Nullable;

/** Checks each top-level class when the compiler has analyzed it. Nothing that goes wrong in here reaches the compiler. */
class CompileListener implements TaskListener {
    private final JavacTask task;
    private final CheckOptions options;
    private final AcquisitionGraph graph = new AcquisitionGraph();
    private final Set<Element> seen = new HashSet<>();
    private @Nullable SourceTypes types;
    private @Nullable KindReader kinds;
    private @Nullable LockContracts contracts;
    private boolean isOver;

    CompileListener(JavacTask task, CheckOptions options) {
        this.task = task;
        this.options = options;
    }

    @Override
    public void finished(TaskEvent event) {
        if (isOver) {
            return;
        }
        CompilationUnitTree unit = event.getCompilationUnit();
        TypeElement type = event.getTypeElement();
        try {
            if (event.getKind() == TaskEvent.Kind.ANALYZE && unit != null && type != null) {
                analyzed(unit, type);
            } else if (event.getKind() == TaskEvent.Kind.COMPILATION && options.report() != null) {
                write(Path.of(options.report()));
            }
        } catch (VirtualMachineError tooLittle) {
            if (!(tooLittle instanceof StackOverflowError)) {
                throw tooLittle;
            }
            fail(tooLittle, unit, type);
        } catch (Exception | LinkageError | AssertionError fault) {
            fail(fault, unit, type);
        }
    }

    /** One warning, and no more checks. */
    private void fail(Throwable fault, @Nullable CompilationUnitTree unit, @Nullable TypeElement type) {
        isOver = true;
        try {
            String message = Messages.fault(fault, type == null ? "this build" : type.toString());
            if (unit == null) {
                System.err.println("warning: " + message);
            } else {
                new SourceTypes(task).trees().printMessage(Diagnostic.Kind.WARNING, message, unit, unit);
            }
        } catch (RuntimeException | LinkageError again) {
            fault.addSuppressed(again);
        }
    }

    void analyzed(CompilationUnitTree unit, TypeElement type) {
        if (options.problem() != null) {
            isOver = true;
            new SourceTypes(task).trees().printMessage(Diagnostic.Kind.ERROR, options.problem(), unit, unit);
            return;
        }
        if (types == null) {
            types = new SourceTypes(task);
            kinds = new KindReader(types);
            contracts = new LockContracts(types);
        }
        TypeElement topLevel = SourceTypes.topLevel(type);
        if (topLevel == null || kinds == null || contracts == null || !seen.add(topLevel)) {
            return;
        }
        for (Tree each : unit.getTypeDecls()) {
            if (each instanceof ClassTree tree && topLevel.equals(types.element(unit, tree))) {
                check(types, kinds, contracts, unit, tree);
            }
        }
    }

    private void check(
            SourceTypes known,
            KindReader kindReader,
            LockContracts lockContracts,
            CompilationUnitTree unit,
            ClassTree tree) {
        ClassIndex index = new ClassIndex(known, unit, tree);
        if (!index.mentionsLocks() && index.kindTypes().isEmpty()) {
            return;
        }
        ClassCheck check = new ClassCheck(known, kindReader, lockContracts, index, options);
        check.read(tree);
        List<OrderProblem> problems = new ArrayList<>(check.problems());
        problems.addAll(new OrderRule(check, lockContracts, graph).judge());
        problems.sort(Comparator.comparingLong(
                each -> known.trees().getSourcePositions().getStartPosition(unit, each.at())));
        for (OrderProblem each : problems) {
            if (each.certain() || options.strict()) {
                boolean isError = each.certain() && options.level() == CheckOptions.Level.ERROR;
                known.trees()
                        .printMessage(
                                isError ? Diagnostic.Kind.ERROR : Diagnostic.Kind.WARNING,
                                each.message(),
                                each.at(),
                                unit);
            }
        }
    }

    private void write(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        Files.writeString(file, graph.text(), StandardCharsets.UTF_8);
        Files.writeString(Path.of(file + ".dot"), graph.dot(), StandardCharsets.UTF_8);
    }
}
