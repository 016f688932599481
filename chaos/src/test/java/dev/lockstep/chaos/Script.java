package dev.lockstep.chaos;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Histories made by hand: what processes would have written. Times are in milliseconds. */
final class Script {
    private static final long MILLI = 1_000_000;

    private final Map<String, List<String>> texts = new TreeMap<>();
    private int ops;

    Map<String, List<String>> texts() {
        return texts;
    }

    /** A line of a process, or of the conductor. */
    Script line(String process, long millis, String text) {
        texts.computeIfAbsent(process, any -> new ArrayList<>()).add(millis * MILLI + " " + text);
        return this;
    }

    /** A lease that is renewed, from its grant to the last look at it, which is also its release. */
    Script lease(String process, String stakes, long from, long until, String token) {
        return lease(process, stakes, from, until, token, "renewed");
    }

    /** A lease of this term, asked for 5 ms before it was granted. */
    Script lease(String process, String stakes, long from, long until, String token, String term) {
        int op = ask(process, from - 5, stakes);
        granted(process, op, from, until, token, term);
        return line(process, until, "released op=" + op + " outcome=RELEASED");
    }

    /** A lease that its holder found lost. */
    Script lost(String process, String stakes, long from, long seen, long until, long told, String reason) {
        int op = ask(process, from - 5, stakes);
        line(process, from, "grant op=" + op + " token=0." + from + " term=" + (until - from) + " source=test");
        line(process, seen, "held op=" + op + " until=" + until * MILLI);
        line(process, told, "lost op=" + op + " reason=" + reason);
        return line(process, told, "released op=" + op + " outcome=LOST");
    }

    void granted(String process, int op, long from, long until, String token, String term) {
        line(process, from, "grant op=" + op + " token=" + token + " term=" + term + " source=test");
        line(process, until, "held op=" + op + " until=" + (until + 1_000) * MILLI);
    }

    /** A request whose answer is still to be written; keys begin with x: or s:. */
    int ask(String process, long millis, String stakes) {
        return ask(process, millis, stakes, ops + 1);
    }

    int ask(String process, long millis, String stakes, int holder) {
        int op = ++ops;
        line(
                process,
                millis,
                "invoke op=" + op + " holder=" + holder + " thread=t0 wait=1000 x=" + of("x:", stakes) + " s="
                        + of("s:", stakes));
        return op;
    }

    private static String of(String mode, String stakes) {
        return String.join(
                ",",
                Arrays.stream(stakes.split(" "))
                        .filter(stake -> stake.startsWith(mode))
                        .map(stake -> stake.substring(mode.length()))
                        .toList());
    }

    Script breaks(String process, long from, long to) {
        return line("conductor", to, "break server=MYSQL process=" + process + " from=" + from * MILLI);
    }

    /** Nothing is broken in this time. */
    Script calm(long from, long to) {
        return line("conductor", to, "calm from=" + from * MILLI);
    }

    Script stall(String process, long from, long to) {
        return line(process, to, "stall from=" + from * MILLI + " nanos=" + (to - from) * MILLI);
    }

    Script healed(long millis) {
        return line("conductor", millis, "healed");
    }

    /** What the checker says of it. */
    List<String> rulesBrokenOn(Promise promise) {
        return ChaosReport.of(Records.of(texts), promise).violations().stream()
                .map(Violation::rule)
                .toList();
    }
}
