package dev.lockstep.server.events;

import dev.lockstep.server.http.Problem;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A place in the stream.
 *
 * @param start which start of the server counted
 * @param number the event's number since then
 */
record EventId(long start, long number) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})-(\\d{1,18})");
    private static final EventId NOW = new EventId(-1, -1);
    private static final EventId BEGINNING = new EventId(0, 0);

    /** Where a client wants to continue: from now on without an id, with all that is kept at {@code 0}. */
    static EventId of(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return NOW;
        }
        if (text.equals("0")) {
            return BEGINNING;
        }
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw Problem.invalid(
                    "Last-Event-ID",
                    "Last-Event-ID is not the id of an event. Give the last id that you received, 0 for all that is kept,"
                            + " or none.");
        }
        return new EventId(Long.parseLong(form.group(1)), Long.parseLong(form.group(2)));
    }

    boolean isNow() {
        return equals(NOW);
    }

    boolean isBeginning() {
        return equals(BEGINNING);
    }
}
