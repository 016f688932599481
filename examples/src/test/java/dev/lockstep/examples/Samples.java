package dev.lockstep.examples;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares the Java, JavaScript and YAML blocks of a document with regions of the source. A block is preceded by a line
 * {@code <!-- region: name -->}; the region stands between {@code // tag::name} and {@code // end::name}, in YAML with {@code #}. Common indentation doesn't count.
 */
final class Samples {
    private static final Set<String> LANGUAGES = Set.of("java", "js", "yaml");
    private static final Pattern TAG = Pattern.compile("\\s*(?://|#) (tag|end)::(\\S+)\\s*");
    private static final Pattern MARK = Pattern.compile("\\s*<!-- region: (\\S+) -->\\s*");
    private static final Pattern FENCE = Pattern.compile("\\s*```\\s*(\\S*).*");

    private Samples() {}

    /** The tagged regions of sources, by name. */
    static Map<String, String> regions(List<String> sources) {
        Map<String, String> regions = new LinkedHashMap<>();
        for (String source : sources) {
            Map<String, List<String>> open = new LinkedHashMap<>();
            for (String line : source.lines().toList()) {
                Matcher tag = TAG.matcher(line);
                if (!tag.matches()) {
                    open.values().forEach(lines -> lines.add(line));
                } else if (tag.group(1).equals("tag")) {
                    open.put(tag.group(2), new ArrayList<>());
                } else {
                    close(tag.group(2), open, regions);
                }
            }
            require(open.isEmpty(), "These regions have no end: " + open.keySet());
        }
        return regions;
    }

    private static void close(String name, Map<String, List<String>> open, Map<String, String> regions) {
        List<String> lines = open.remove(name);
        require(lines != null, "The region '" + name + "' ends without a start");
        require(regions.put(name, normal(lines)) == null, "The region '" + name + "' is tagged twice");
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    private static String normal(List<String> lines) {
        return String.join("\n", lines).stripIndent().strip();
    }

    /** What is wrong with the Java, JavaScript and YAML blocks of a document. */
    static List<String> problems(String document, Map<String, String> regions) {
        List<String> problems = new ArrayList<>();
        List<String> lines = document.lines().toList();
        String before = "";
        for (int i = 0; i < lines.size(); i++) {
            Matcher fence = FENCE.matcher(lines.get(i));
            if (fence.matches()) {
                int start = i + 1;
                do {
                    i++;
                } while (i < lines.size() && !FENCE.matcher(lines.get(i)).matches());
                if (LANGUAGES.contains(fence.group(1))) {
                    problems.addAll(compare(before, start, normal(lines.subList(start, i)), regions));
                }
                before = "";
            } else if (!lines.get(i).isBlank()) {
                before = lines.get(i);
            }
        }
        return problems;
    }

    private static List<String> compare(String before, int line, String block, Map<String, String> regions) {
        Matcher mark = MARK.matcher(before);
        if (!mark.matches()) {
            return List.of("line " + line + ": a block without <!-- region: name --> before it");
        }
        String region = regions.get(mark.group(1));
        if (region == null) {
            return List.of("line " + line + ": there is no region '" + mark.group(1) + "'");
        }
        if (!region.equals(block)) {
            return List.of("line " + line + ": not as in the region '" + mark.group(1) + "', which is:\n" + region);
        }
        return List.of();
    }
}
