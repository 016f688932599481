package dev.lockstep.jdbc.sql;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.StoreRequest;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/*
 * What a session says about itself
 * --------------------------------
 * Servers show the text of each session's last statement to others. So our statements carry a comment that names the lease, the
 * owner, the locks and the line of code. Another process reads it from the server's tables; this is how one process sees the holders and waiters
 * of another, and how the report of a deadlock that only the server saw gets its names.
 *
 *     /*lockstep NAMESPACE LEASE~OWNER~SINCE~SITE~WAITS~LOCK,LOCK|LEASE~…*\/
 *
 * One part for each lease in the session's transaction; WAITS is the index of the lock that is waited for, or '-'. Everything is
 * percent-encoded, so no id can end the comment. Servers cut long texts off: what is cut is left out.
 */
public final class StatementTag {
    private static final int MOST_LOCKS = 16;

    /** Ends a key whose kind has no kinds below it, so that a shared lock of it is shared on the server. */
    private static final String LEAF = ":l";

    private static final boolean[] PLAIN = new boolean[128];

    static {
        for (char c = 0; c < PLAIN.length; c++) {
            PLAIN[c] = Character.isLetterOrDigit(c) || c == '-' || c == '.';
        }
    }

    private static final Pattern COMMENT = Pattern.compile("/\\*lockstep (\\S+) ([^*]*)(\\*/)?");

    private StatementTag() {}

    /** One lease as another session shows it. */
    public record Seen(
            UUID leaseId,
            String owner,
            Instant since,
            Optional<CallSite> callSite,
            List<PlannedLock> locks,
            Optional<PlannedLock> waitsFor) {}

    public static String comment(String namespace, List<String> parts) {
        return "/*lockstep " + encode(namespace) + " " + String.join("|", parts) + "*/ ";
    }

    /** {@code waitsFor}: the index in the plan of the lock that is waited for; negative for none. */
    public static String part(StoreRequest request, Instant since, int waitsFor) {
        StringBuilder text = new StringBuilder(200);
        text.append(request.leaseId())
                .append('~')
                .append(encode(request.owner()))
                .append('~');
        text.append(since.toEpochMilli()).append('~');
        text.append(request.callSite().map(StatementTag::encode).orElse("-")).append('~');
        text.append(waitsFor < 0 ? "-" : String.valueOf(waitsFor)).append('~');
        int size = request.plan().size();
        for (int i = 0; i < size; i++) {
            if (i < MOST_LOCKS || i == waitsFor) {
                text.append(i == 0 ? "" : ",").append(i).append('=');
                text.append(request.plan().mode(i).symbol()).append('=');
                append(request.plan().key(i), text);
                text.append(request.plan().key(i).kind().leaf() ? LEAF : "");
            }
        }
        return text.toString();
    }

    private static void append(LockKey key, StringBuilder text) {
        key.parent().ifPresent(parent -> {
            append(parent, text);
            text.append('/');
        });
        text.append(key.rank())
                .append(':')
                .append(key.kind().prefix())
                .append(':')
                .append(encode(key.id()));
    }

    private static String encode(CallSite site) {
        StackTraceElement frame = site.frame();
        return encode(frame.getClassName()) + ":" + encode(frame.getMethodName()) + ":"
                + encode(String.valueOf(frame.getFileName())) + ":" + frame.getLineNumber();
    }

    public static String encode(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= PLAIN.length || !PLAIN[c]) {
                return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("*", "%2A");
            }
        }
        return text;
    }

    public static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** A comment that only says that it is ours, and never differs. */
    public static String brief(String namespace) {
        return comment(namespace, List.of());
    }

    // ---- reading

    public static boolean isOurs(String sql, String namespace) {
        Matcher comment = COMMENT.matcher(sql);
        return comment.find() && comment.group(1).equals(encode(namespace));
    }

    /** The leases that a statement's text names, if it is one of ours in this namespace. */
    public static List<Seen> read(String sql, String namespace) {
        List<Seen> seen = new ArrayList<>();
        Matcher comment = COMMENT.matcher(sql);
        if (comment.find()) {
            if (comment.group(1).equals(encode(namespace))) {
                boolean whole = comment.group(3) != null;
                String[] parts = comment.group(2).split("\\|", -1);
                for (int i = 0; i < parts.length; i++) {
                    readPart(parts[i], whole || i < parts.length - 1).ifPresent(seen::add);
                }
            }
        }
        return seen;
    }

    private static Optional<Seen> readPart(String part, boolean whole) {
        String[] fields = part.split("~", -1);
        if (fields.length < 6) {
            return Optional.empty();
        }
        try {
            int waits = fields[4].equals("-") ? -1 : Integer.parseInt(fields[4]);
            List<PlannedLock> locks = new ArrayList<>();
            @Nullable PlannedLock waitsFor = null;
            String[] texts = fields[5].split(",", -1);
            for (int i = 0; i < texts.length - (whole ? 0 : 1); i++) {
                String[] lock = texts[i].split("=", -1);
                PlannedLock planned = new PlannedLock(readKey(lock[2]), readMode(lock[1]));
                if (Integer.parseInt(lock[0]) == waits) {
                    waitsFor = planned;
                } else {
                    locks.add(planned);
                }
            }
            return Optional.of(new Seen(
                    UUID.fromString(fields[0]),
                    decode(fields[1]),
                    Instant.ofEpochMilli(Long.parseLong(fields[2])),
                    readSite(fields[3]),
                    locks,
                    Optional.ofNullable(waitsFor)));
        } catch (RuntimeException e) {
            return Optional.empty(); // cut off, or not ours
        }
    }

    private static LockMode readMode(String symbol) {
        for (LockMode mode : LockMode.values()) {
            if (mode.symbol().equals(symbol)) {
                return mode;
            }
        }
        throw new IllegalArgumentException(symbol);
    }

    /** A kind as far as a key's text describes it. */
    private record TaggedKind(String prefix, int rank, Optional<LockKind> parent, boolean leaf) implements LockKind {}

    private static LockKey readKey(String text) {
        @Nullable LockKey key = null;
        for (String step : text.split("/", -1)) {
            String[] fields = step.split(":", -1);
            LockKind kind = new TaggedKind(
                    fields[1],
                    Integer.parseInt(fields[0]),
                    Optional.ofNullable(key).map(LockKey::kind),
                    fields.length > 3);
            key = key == null ? kind.key(decode(fields[2])) : key.child(kind, decode(fields[2]));
        }
        if (key == null) {
            throw new IllegalArgumentException(text);
        }
        return key;
    }

    private static Optional<CallSite> readSite(String text) {
        if (text.equals("-")) {
            return Optional.empty();
        }
        String[] fields = text.split(":", -1);
        return Optional.of(new CallSite(new StackTraceElement(
                decode(fields[0]), decode(fields[1]), decode(fields[2]), Integer.parseInt(fields[3]))));
    }
}
