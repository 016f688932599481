package dev.lockstep.chaos;

import dev.lockstep.core.FencingToken;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One request, and all that came of it, put together from the lines of a history. */
final class Call {
    /** The reasons that the holder's own clocks give: until then the lease could be counted on. */
    private static final Set<String> BY_CLOCK = Set.of("EXPIRED", "UNCONFIRMED", "HELD_TOO_LONG");

    private final String process;
    private final HistoryLine invoke;
    private final List<LockedKey> stakes;
    private @Nullable HistoryLine answer;
    private @Nullable HistoryLine lastHeld;
    private @Nullable HistoryLine lost;
    private @Nullable HistoryLine released;
    private boolean clockStepped;

    Call(String process, HistoryLine invoke) {
        this.process = process;
        this.invoke = invoke;
        stakes = Stream.concat(
                        LockedKey.parse(invoke.text("x"), true).stream(),
                        LockedKey.parse(invoke.text("s"), false).stream())
                .toList();
    }

    /** Adds what is said of it later. Lines of one thread are in order, apart from looks that were written late. */
    void add(HistoryLine line) {
        switch (line.verb()) {
            case "grant", "busy", "failed" -> answer = line;
            case "held" -> lastHeld = lastHeld == null || lastHeld.nanos() < line.nanos() ? line : lastHeld;
            case "lost" -> lost = line;
            case "released" -> released = line;
            default -> {} // writes have their own place
        }
    }

    /** The process's wall clock jumped, so that it doesn't show what is left of a term. */
    void clockStepped() {
        clockStepped = true;
    }

    // ---- the question

    String process() {
        return process;
    }

    String thread() {
        return process + "/" + invoke.text("thread");
    }

    /** Leases of one holder don't exclude each other. */
    String holder() {
        return process + "#" + invoke.text("holder");
    }

    List<LockedKey> stakes() {
        return stakes;
    }

    long invoked() {
        return invoke.nanos();
    }

    long waitNanos() {
        return invoke.number("wait") * 1_000_000;
    }

    // ---- the answer

    Optional<HistoryLine> answer() {
        return Optional.ofNullable(answer);
    }

    boolean isGranted() {
        return answer != null && answer.is("grant");
    }

    private HistoryLine grant() {
        if (answer == null || !answer.is("grant")) {
            throw new IllegalStateException("was not granted: " + invoke);
        }
        return answer;
    }

    long granted() {
        return grant().nanos();
    }

    FencingToken token() {
        return TokenText.parse(grant().text("token"));
    }

    boolean isRenewed() {
        return "renewed".equals(grant().text("term"));
    }

    // ---- the lease

    /** Whether its holder saw it held at least once after it was granted: before that, the process may have stood still. */
    boolean wasSeenHeld() {
        return isGranted() && lastHeld != null;
    }

    /** Until when its holder counted on it, at least. */
    long validUntil() {
        if (lastHeld == null) {
            return granted();
        }
        boolean byClock = lost != null && BY_CLOCK.contains(lost.text("reason")) && !clockStepped;
        return byClock && lost != null
                ? Math.max(lastHeld.nanos(), Math.min(lastHeld.number("until"), lost.nanos()))
                : lastHeld.nanos();
    }

    Optional<HistoryLine> lost() {
        return Optional.ofNullable(lost);
    }

    Optional<HistoryLine> released() {
        return Optional.ofNullable(released);
    }

    boolean conflictsWith(Call other) {
        return !holder().equals(other.holder())
                && stakes.stream().anyMatch(mine -> other.stakes.stream().anyMatch(mine::conflictsWith));
    }

    /** Its lines, for people. */
    String evidence() {
        StringBuilder text = new StringBuilder();
        Stream.of(Optional.of(invoke), answer(), Optional.ofNullable(lastHeld), lost(), released())
                .flatMap(Optional::stream)
                .forEach(line ->
                        text.append("\n    ").append(process).append(": ").append(line));
        return text.toString();
    }
}
