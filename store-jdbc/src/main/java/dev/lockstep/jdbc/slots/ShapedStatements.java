package dev.lockstep.jdbc.slots;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** The texts of statements that differ only in the modes of the locks that they take, an {@code X} or {@code S} for each. */
public final class ShapedStatements {
    private static final int MOST = 500;

    private final UnaryOperator<String> text;
    private final Map<String, String> texts = new ConcurrentHashMap<>();

    public ShapedStatements(UnaryOperator<String> text) {
        this.text = text;
    }

    public String of(List<ServerLock> locks) {
        StringBuilder modes = new StringBuilder(locks.size());
        locks.forEach(lock -> modes.append(lock.exclusive() ? 'X' : 'S'));
        String shape = modes.toString();
        String known = texts.get(shape);
        if (known == null) {
            known = text.apply(shape);
            if (texts.size() < MOST) {
                texts.put(shape, known);
            }
        }
        return known;
    }
}
