package dev.lockstep.examples;

import dev.lockstep.core.FencingToken;

/** A thing that refuses writes by holders that were overtaken: it remembers the highest token that it has seen. */
// tag::fenced
final class FencedFile {
    private FencingToken highest = new FencingToken(0, 0);
    private String text = "";

    synchronized boolean write(String newText, FencingToken token) {
        if (token.compareTo(highest) < 0) {
            return false;
        }
        highest = token;
        text = newText;
        return true;
    }

    synchronized String text() {
        return text;
    }
}
// end::fenced
