package dev.lockstep.ordercheck;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.SourcePositions;
import java.nio.file.Path;

/** The lines of a method. */
final class Sites {
    private final SourcePositions positions;
    private final CompilationUnitTree unit;
    private final String type;
    private final String method;

    Sites(SourceTypes types, CompilationUnitTree unit, String type, String method) {
        positions = types.trees().getSourcePositions();
        this.unit = unit;
        this.type = type;
        this.method = method;
    }

    CodeSite of(Tree tree) {
        long start = positions.getStartPosition(unit, tree);
        long line = start < 0 ? 0 : unit.getLineMap().getLineNumber(start);
        String file = unit.getSourceFile().getName();
        Path name = Path.of(file).getFileName();
        return new CodeSite(type, method, name == null ? file : name.toString(), line);
    }
}
