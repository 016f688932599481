package dev.lockstep.ordercheck;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options after {@code -Xplugin:Lockstep}.
 *
 * @param problem what is wrong with them
 */
record CheckOptions(
        Level level,
        boolean strict,
        @Nullable String report,
        List<String> kinds,
        @Nullable String problem) {
    /** What errors are reported as. */
    enum Level {
        OFF,
        WARN,
        ERROR
    }

    static CheckOptions parse(String... arguments) {
        Level level = Level.ERROR;
        boolean strict = false;
        String report = null;
        List<String> kinds = new ArrayList<>();
        String problem = null;
        for (String each : arguments) {
            if (each.equals("off")) {
                level = Level.OFF;
            } else if (each.equals("warn")) {
                level = Level.WARN;
            } else if (each.equals("strict")) {
                strict = true;
            } else if (each.startsWith("report=") && each.length() > "report=".length()) {
                report = each.substring("report=".length());
            } else if (each.startsWith("kinds=") && each.length() > "kinds=".length()) {
                kinds.addAll(List.of(each.substring("kinds=".length()).split(",")));
            } else if (!each.isBlank()) {
                problem = "Unknown option '" + each + "' of -Xplugin:Lockstep. Nothing was checked. Write strict, warn,"
                        + " off, report=FILE or kinds=CLASS,CLASS.";
            }
        }
        return new CheckOptions(level, strict, report, List.copyOf(kinds), problem);
    }
}
