package dev.lockstep.examples;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The phrases that this project does not use, from {@code config/words.txt}, and where a text has them. */
final class Phrases {
    /** A space of a phrase also matches a line break in a comment, and one between two parts of a string. */
    private static final String SPACE = "(?:\\\\s+(?:(?:\\\\*|//|--|#)\\\\s+)?)";

    /** Comments and texts of Java and JavaScript; a quote inside a comment begins no text. */
    private static final Pattern PROSE = Pattern.compile(
            "/\\*.*?\\*/|//[^\\n]*|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*'|`(?:\\\\.|[^\\\\`])*`",
            Pattern.DOTALL);

    private static final List<Phrase> ALL = Repository.read(Repository.ROOT.resolve("config/words.txt"))
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(Phrase::of)
            .toList();

    private record Phrase(Pattern pattern, String advice) {
        static Phrase of(String line) {
            String[] halves = line.split(" => ", -1);
            return new Phrase(Pattern.compile(halves[0].replaceAll(" ", SPACE)), halves[1]);
        }
    }

    private Phrases() {}

    /** What to change in a text, each with its line. */
    static List<String> in(String text) {
        return ALL.stream()
                .flatMap(phrase -> phrase.pattern()
                        .matcher(text)
                        .results()
                        .map(found ->
                                "line " + line(text, found.start()) + ": '" + found.group() + "': " + phrase.advice()))
                .toList();
    }

    /** The same in the comments and texts of source code. */
    static List<String> inCode(String code) {
        Matcher prose = PROSE.matcher(code);
        StringBuilder rest = new StringBuilder(blank(code));
        while (prose.find()) {
            rest.replace(prose.start(), prose.end(), prose.group());
        }
        return in(rest.toString());
    }

    private static String blank(String code) {
        return code.chars().mapToObj(c -> c == '\n' ? "\n" : " ").collect(Collectors.joining());
    }

    private static long line(String text, int at) {
        return text.substring(0, at).lines().count() + (at == 0 || text.charAt(at - 1) == '\n' ? 1 : 0);
    }
}
