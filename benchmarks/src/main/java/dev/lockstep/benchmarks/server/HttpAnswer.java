package dev.lockstep.benchmarks.server;

import java.util.Locale;
import java.util.Optional;

/**
 * An answer of the server. Only answers with a length are understood, which is what the server sends for everything but streams.
 *
 * @param head the status line and the headers
 */
record HttpAnswer(int status, String head, String body) {
    static final HttpAnswer NONE = new HttpAnswer(0, "", "");
    private static final String END_OF_HEAD = "\r\n\r\n";

    /** The answer at the beginning of this text, one char for each byte; empty as long as a part of it is missing. */
    static Optional<HttpAnswer> read(CharSequence text) {
        String received = text.toString();
        int end = received.indexOf(END_OF_HEAD);
        if (end < 0) {
            return Optional.empty();
        }
        String head = received.substring(0, end + 2);
        int status = Integer.parseInt(head.substring(9, 12));
        int from = end + END_OF_HEAD.length();
        int length = status == 204 ? 0 : Integer.parseInt(header(head, "content-length"));
        return received.length() < from + length
                ? Optional.empty()
                : Optional.of(new HttpAnswer(status, head, received.substring(from, from + length)));
    }

    /** How many bytes it had. */
    int length() {
        return head.length() + 2 + body.length();
    }

    String header(String name) {
        return header(head, name);
    }

    private static String header(String head, String name) {
        String lower = head.toLowerCase(Locale.ROOT);
        int at = lower.indexOf("\r\n" + name + ":");
        if (at < 0) {
            throw new IllegalStateException("the answer has no header " + name + ":\n" + head);
        }
        int from = at + name.length() + 3;
        return head.substring(from, head.indexOf("\r\n", from)).strip();
    }

    /** This one, unless its status is another. Before the first answer there is none to be wrong. */
    HttpAnswer require(int wanted) {
        if (status != wanted && status != NONE.status) {
            throw new IllegalStateException("wanted " + wanted + ", and the server answered\n" + head + "\n" + body);
        }
        return this;
    }
}
