package dev.lockstep.jdbc;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.jdbc.slots.AdvisorySlots;
import dev.lockstep.jdbc.sql.StatementTag;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Kinds as a comment that statements begin with, for other processes to read:
 *
 * <pre>{@code
 * /*lockstep-kinds NAMESPACE user:10,account:20:user:1,resource:30:account:2:leaf*\/
 * }</pre>
 *
 * <p>Each is prefix, rank, parent, level and leaf, as far as there is something to say.
 */
final class KindText {
    private static final String MARK = "/*lockstep-kinds ";
    private static final String END = "*/";
    private static final int LONGEST_NAMESPACE = 64;
    private static final int MOST_COMMENTS = 8;

    private KindText() {}

    /**
     * What a statement of another session declares.
     *
     * @param whole whether the whole declaration could be read
     */
    record Seen(List<KindDefinition> kinds, boolean whole) {}

    // ---- writing

    /** As few comments as have room for all kinds, but at most eight. The last one may be too long: the server cuts it off then. */
    static List<String> comments(String namespace, List<KindDefinition> kinds, int capacity) {
        String start = start(namespace);
        List<String> comments = new ArrayList<>();
        StringBuilder comment = new StringBuilder(start);
        for (KindDefinition kind : kinds) {
            String text = text(kind);
            boolean first = comment.length() == start.length();
            if (!first
                    && comments.size() < MOST_COMMENTS - 1
                    && comment.length() + 1 + text.length() + END.length() > capacity) {
                comments.add(comment.append(END).toString());
                comment = new StringBuilder(start);
                first = true;
            }
            comment.append(first ? "" : ",").append(text);
        }
        comments.add(comment.append(END).toString());
        return comments;
    }

    private static String start(String namespace) {
        String word = StatementTag.encode(namespace);
        return MARK + (word.length() > LONGEST_NAMESPACE ? Long.toHexString(AdvisorySlots.number(word)) : word) + " ";
    }

    private static String text(KindDefinition kind) {
        String all = kind.prefix()
                + ":" + kind.rank()
                + ":" + kind.parent().map(StatementTag::encode).orElse("")
                + ":" + (kind.level() == 0 ? "" : kind.level())
                + ":" + (kind.leaf() ? "leaf" : "");
        return all.replaceFirst(":+$", "");
    }

    // ---- reading

    static Seen read(String statement, String namespace) {
        String start = start(namespace);
        if (!statement.startsWith(start)) {
            return new Seen(List.of(), statement.startsWith(MARK)); // of another namespace, or hidden from this user
        }
        int end = statement.indexOf(END);
        String text = statement.substring(start.length(), end < 0 ? statement.length() : end);
        String[] entries = text.split(",", -1);
        List<KindDefinition> kinds = new ArrayList<>();
        for (int i = 0; i < entries.length - (end < 0 ? 1 : 0); i++) {
            kind(entries[i]).ifPresent(kinds::add);
        }
        return new Seen(kinds, end >= 0 && kinds.size() == entries.length);
    }

    private static Optional<KindDefinition> kind(String entry) {
        String[] fields = (entry + "::::").split(":", -1);
        try {
            return Optional.of(new KindDefinition(
                    fields[0],
                    Integer.parseInt(fields[1]),
                    fields[2].isEmpty() ? Optional.empty() : Optional.of(StatementTag.decode(fields[2])),
                    fields[3].isEmpty() ? 0 : Integer.parseInt(fields[3]),
                    fields[4].equals("leaf")));
        } catch (RuntimeException e) {
            return Optional.empty(); // written by a version that says more
        }
    }
}
