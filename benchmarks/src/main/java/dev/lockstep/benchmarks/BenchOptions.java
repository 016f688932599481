package dev.lockstep.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What stands on the command line.
 *
 * @param names the words that belong to no flag
 * @param numbers the number of each flag
 */
record BenchOptions(List<String> names, Map<String, Integer> numbers) {
    /** Reads arguments, with these flags and the numbers that they have unless told otherwise. */
    static BenchOptions parse(List<String> args, Map<String, Integer> defaults) {
        Map<String, Integer> numbers = new LinkedHashMap<>(defaults);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < args.size(); i++) {
            String arg = args.get(i);
            if (!arg.startsWith("-")) {
                names.add(arg);
            } else if (defaults.containsKey(arg)) {
                numbers.put(arg, number(arg, ++i < args.size() ? args.get(i) : "nothing"));
            } else {
                throw new UsageException("unknown flag '" + arg + "'. Known: " + String.join(", ", defaults.keySet()));
            }
        }
        return new BenchOptions(names, numbers);
    }

    private static int number(String flag, String text) {
        String digits = text.replaceAll("[_,]", "");
        if (!digits.matches("[1-9][0-9]{0,8}")) {
            throw new UsageException(flag + " needs a whole number from 1 up, and got " + text);
        }
        return Integer.parseInt(digits);
    }

    int number(String flag) {
        return numbers.getOrDefault(flag, 0);
    }
}
