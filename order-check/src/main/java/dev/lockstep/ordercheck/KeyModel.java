package dev.lockstep.ordercheck;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A key as far as the source says: its kinds and ids from the top down, or nothing but its identity. */
record KeyModel(List<Level> levels) {
    /** One level; the kind is null in a key of which only the identity is known. */
    record Level(@Nullable KnownKind kind, IdModel id) {}

    static KeyModel unknown(Object identity) {
        return new KeyModel(List.of(new Level(null, new IdModel.Symbolic(identity, 0))));
    }

    static KeyModel root(KnownKind kind, IdModel id) {
        return new KeyModel(List.of(new Level(kind, id)));
    }

    /** A key of this kind, of which no id is known. */
    static KeyModel any(KnownKind kind) {
        return new KeyModel(kind.chain().stream()
                .map(each -> new Level(each, IdModel.unknown()))
                .toList());
    }

    KeyModel child(KnownKind kind, IdModel id) {
        List<Level> path = new ArrayList<>(isKnown() ? levels : aboveAsParentOf(kind));
        path.add(new Level(kind, id));
        return new KeyModel(List.copyOf(path));
    }

    /** The levels that this key must have, if it is the parent of a key of that kind. */
    private List<Level> aboveAsParentOf(KnownKind kind) {
        List<KnownKind> chain = kind.chain();
        List<Level> path = new ArrayList<>();
        IdModel.Symbolic own = (IdModel.Symbolic) last().id();
        for (int i = 0; i < chain.size() - 1; i++) {
            int above = own.above() + chain.size() - 2 - i;
            path.add(new Level(chain.get(i), new IdModel.Symbolic(own.identity(), above)));
        }
        return path;
    }

    boolean isKnown() {
        return last().kind() != null;
    }

    Level last() {
        return levels.get(levels.size() - 1);
    }

    @Nullable
    KnownKind kind() {
        return last().kind();
    }

    KeyModel ancestor(int size) {
        return new KeyModel(levels.subList(0, size));
    }

    Certainty isSame(KeyModel other) {
        if (!isKnown() || !other.isKnown()) {
            return last().id().equals(other.last().id()) ? Certainty.YES : Certainty.MAYBE;
        }
        return levels.size() == other.levels.size() ? agrees(other) : Certainty.NO;
    }

    Certainty isAncestorOf(KeyModel other) {
        if (isKnown() && other.isKnown()) {
            return levels.size() < other.levels.size() ? agrees(other) : Certainty.NO;
        }
        if (isSame(other) == Certainty.YES || (other.isKnown() && other.levels.size() == 1)) {
            return Certainty.NO; // nothing is above the topmost
        }
        boolean found = other.levels.subList(0, other.levels.size() - 1).stream()
                .anyMatch(level -> level.id().equals(last().id()));
        return found ? Certainty.YES : Certainty.MAYBE;
    }

    private Certainty agrees(KeyModel longer) {
        Certainty all = Certainty.YES;
        for (int i = 0; i < levels.size(); i++) {
            Level mine = levels.get(i);
            Level theirs = longer.levels.get(i);
            if (mine.kind() == null || theirs.kind() == null || !mine.kind().isSame(theirs.kind())) {
                return Certainty.NO;
            }
            all = all.and(mine.id().isSame(theirs.id()));
        }
        return all;
    }
}
