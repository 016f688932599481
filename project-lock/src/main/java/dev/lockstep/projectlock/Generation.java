package dev.lockstep.projectlock;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The texts of the lease files after one transaction, as one file of the guard directory.
 *
 * @param number counts the transactions
 */
record Generation(long number, Map<String, String> texts) {
    /** A file per line: its name, a blank, its text. Those that this makes have no line breaks. */
    static Generation parse(long number, String content) {
        Map<String, String> texts = new LinkedHashMap<>();
        content.lines().forEach(line -> {
            int blank = line.indexOf(' ');
            if (blank > 0) {
                texts.put(line.substring(0, blank), line.substring(blank + 1));
            }
        });
        return new Generation(number, texts);
    }

    Generation next(Map<String, String> changed) {
        return new Generation(number + 1, changed);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(texts.get(name));
    }

    String content() {
        StringBuilder content = new StringBuilder();
        texts.forEach(
                (name, text) -> content.append(name).append(' ').append(text).append('\n'));
        return content.toString();
    }
}
