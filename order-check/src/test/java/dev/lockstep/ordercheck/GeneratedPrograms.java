package dev.lockstep.ordercheck;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Nested straight-line programs: each method of the class is one. Every statement is on its own line.
 *
 * @param names what ids are: constants, so that everything is known, or parameters, so that only a run can tell
 */
record GeneratedPrograms(Random random, List<String> names) {
    private static final List<String> KINDS = List.of("CHARACTER", "EQUIPMENT", "CUBE", "USER", "ACCOUNT", "RESOURCE");

    static GeneratedPrograms withConstants(long seed) {
        return new GeneratedPrograms(new Random(seed), List.of("\"x\"", "\"y\""));
    }

    static GeneratedPrograms withVariables(long seed) {
        return new GeneratedPrograms(new Random(seed), List.of("p", "q", "\"x\""));
    }

    String source(String name, int programs) {
        Text text = new Text();
        text.line("package samples;");
        text.line("import static dev.lockstep.core.LockRequest.*;");
        text.line("import static samples.Game.*;");
        text.line("import dev.lockstep.core.*;");
        text.line("public class " + name + " {");
        for (int i = 0; i < programs; i++) {
            text.line("public static void p" + i + "(Locks locks, String p, String q) throws Exception {");
            statements(text, i, 0);
            text.line("}");
            text.helpers.forEach(text::line);
            text.helpers.clear();
        }
        text.line("}");
        return text.toString();
    }

    private void statements(Text text, int program, int depth) {
        int count = depth == 0 ? 1 + random.nextInt(2) : random.nextInt(3);
        for (int i = 0; i < count && depth < 4; i++) {
            statement(text, program, depth);
        }
    }

    private void statement(Text text, int program, int depth) {
        String lease = "l" + text.next++;
        String request = request(depth);
        switch (random.nextInt(8)) {
            case 0 -> {
                text.line("try (Lease " + lease + " = locks.acquire(" + request + ")) {");
                statements(text, program, depth + 1);
                text.line("}");
            }
            case 1 -> {
                text.line("Lease " + lease + " = locks.acquire(" + request + ");");
                text.line("try {");
                statements(text, program, depth + 1);
                text.line("} finally {");
                text.line(lease + ".close();");
                text.line("}");
            }
            case 2 -> {
                text.line("locks.<Exception>run(" + request + ", " + lease + " -> {");
                statements(text, program, depth + 1);
                text.line("});");
            }
            case 3 -> {
                text.line("try (Lease " + lease + " = locks.acquire(" + request + ")) {");
                text.line(lease + ".bind(() -> {");
                statements(text, program, depth + 1);
                text.line("return 1;");
                text.line("}).call();");
                text.line("}");
            }
            case 4 -> {
                text.line("if (locks.tryAcquire(" + request + ") instanceof Granted " + lease + ") {");
                text.line("try (Lease x" + lease + " = " + lease + ".lease()) {");
                statements(text, program, depth + 1);
                text.line("}");
                text.line("}");
            }
            case 5 -> {
                String method = "h" + program + "_" + text.next++;
                Text body = new Text();
                body.next = text.next + 1000;
                body.line("private static void " + method + "(Locks locks, String p, String q) throws Exception {");
                statements(body, program, depth + 1);
                body.line("}");
                text.next = body.next;
                text.helpers.addAll(body.lines);
                text.helpers.addAll(body.helpers);
                text.line(method + "(locks, p, q);");
            }
            case 6 -> {
                String method = "k" + program + "_" + text.next++;
                Text body = new Text();
                body.next = text.next + 1000;
                body.line("private static void " + method
                        + "(Locks locks, LockKey k, String p, String q) throws Exception {");
                body.line("try (Lease l = locks.acquire(" + mode() + "(k))) {");
                statements(body, program, depth + 1);
                body.line("}");
                body.line("}");
                text.next = body.next;
                text.helpers.addAll(body.lines);
                text.helpers.addAll(body.helpers);
                text.line(method + "(locks, " + key(kind(depth)) + ", p, q);");
            }
            default -> {
                String key = "k" + text.next++;
                text.line("LockKey " + key + " = " + key(kind(depth)) + ";");
                text.line("try (Lease " + lease + " = locks.acquire(" + mode() + "(" + key + "))) {");
                statements(text, program, depth + 1);
                text.line("locks.run(" + mode() + "(" + key + "), " + lease + "b -> {});");
                text.line("}");
            }
        }
    }

    /** Mostly in order, so that programs nest before one is refused. */
    private int kind(int depth) {
        int any = random.nextInt(KINDS.size());
        return random.nextInt(4) == 0 ? any : Math.min(KINDS.size() - 1, depth + any / 2);
    }

    private String mode() {
        return random.nextBoolean() ? "exclusive" : "shared";
    }

    private String request(int depth) {
        String request = mode() + "(" + key(kind(depth)) + ")";
        return switch (random.nextInt(4)) {
            case 0 -> request + ".andShared(" + key(kind(depth)) + ")";
            case 1 -> request + ".andExclusive(" + key(kind(depth)) + ")";
            default -> request;
        };
    }

    private String key(int kind) {
        String id = names.get(random.nextInt(names.size()));
        return kind <= 3
                ? KINDS.get(kind) + ".key(" + id + ")"
                : key(kind - 1) + ".child(" + KINDS.get(kind) + ", " + id + ")";
    }

    private static final class Text {
        final List<String> lines = new ArrayList<>();
        final List<String> helpers = new ArrayList<>();
        int next;

        void line(String line) {
            lines.add(line);
        }

        @Override
        public String toString() {
            return String.join("\n", lines) + "\n";
        }
    }
}
