package dev.lockstep.etcd;

/** Text that must stay one line of a record. */
final class OneLine {
    private OneLine() {}

    /** The same for people to read, cut when it is longer than that. */
    static String of(String text, int longest) {
        return of(text.length() <= longest ? text : text.substring(0, longest) + "…");
    }

    /** The same text with every control character turned into a space. */
    static String of(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return text.codePoints()
                        .map(c -> Character.isISOControl(c) ? ' ' : c)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
            }
        }
        return text;
    }
}
