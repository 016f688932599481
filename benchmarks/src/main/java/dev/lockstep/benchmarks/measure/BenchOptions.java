package dev.lockstep.benchmarks.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What stands on the command line.
 *
 * @param names the words that belong to no flag
 * @param numbers the number of each flag that has one
 * @param texts the word of each flag that has one
 */
public record BenchOptions(List<String> names, Map<String, Integer> numbers, Map<String, String> texts) {
    /** Reads arguments, with these flags and the numbers that they have by default. */
    public static BenchOptions parse(List<String> args, Map<String, Integer> defaults) {
        return parse(args, defaults, Map.of());
    }

    /** Reads arguments, with flags for numbers and flags for words, and what they have by default. */
    public static BenchOptions parse(List<String> args, Map<String, Integer> defaults, Map<String, String> words) {
        Map<String, Integer> numbers = new LinkedHashMap<>(defaults);
        Map<String, String> texts = new LinkedHashMap<>(words);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < args.size(); i++) {
            String arg = args.get(i);
            if (!arg.startsWith("-")) {
                names.add(arg);
            } else if (numbers.containsKey(arg)) {
                numbers.put(arg, number(arg, ++i < args.size() ? args.get(i) : "nothing"));
            } else if (texts.containsKey(arg)) {
                texts.put(arg, text(arg, ++i < args.size() ? args.get(i) : ""));
            } else {
                throw new UsageException("unknown flag '" + arg + "'. Known: "
                        + Stream.concat(numbers.keySet().stream(), texts.keySet().stream())
                                .collect(Collectors.joining(", ")));
            }
        }
        return new BenchOptions(names, numbers, texts);
    }

    private static String text(String flag, String text) {
        if (text.isBlank() || text.startsWith("-")) {
            throw new UsageException(flag + " needs a word after it");
        }
        return text;
    }

    private static int number(String flag, String text) {
        return wholeNumber(flag, text.replaceAll("[_,]", ""), text);
    }

    private static int wholeNumber(String flag, String digits, String text) {
        if (!digits.matches("[1-9][0-9]{0,8}")) {
            throw new UsageException(flag + " needs a whole number from 1 up, and got " + text);
        }
        return Integer.parseInt(digits);
    }

    public int number(String flag) {
        return numbers.getOrDefault(flag, 0);
    }

    public String text(String flag) {
        return texts.getOrDefault(flag, "");
    }

    /** The numbers of a flag whose word is like {@code 1,8,128}. */
    public List<Integer> list(String flag) {
        return Stream.of(text(flag).split(",", -1))
                .map(each -> wholeNumber(flag, each, text(flag)))
                .toList();
    }
}
