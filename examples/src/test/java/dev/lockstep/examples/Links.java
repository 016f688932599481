package dev.lockstep.examples;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Follows the relative links of a document, to files and to headings in them. */
final class Links {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(?:#([^)\\s]*))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*?) *$");

    private Links() {}

    /** The links of a document that lead nowhere. */
    static List<String> broken(Path file, String document) {
        List<String> broken = new ArrayList<>();
        Matcher link = LINK.matcher(document);
        while (link.find()) {
            if (!link.group(1).contains(":") && !exists(file, document, link.group(1), link.group(2))) {
                broken.add(link.group());
            }
        }
        return broken;
    }

    private static boolean exists(Path file, String document, String target, String anchor) {
        if (target.isEmpty()) {
            return hasHeading(document, anchor);
        }
        Path linked = Objects.requireNonNull(file.getParent()).resolve(target).normalize();
        return Files.exists(linked) && (anchor == null || hasHeading(Repository.read(linked), anchor));
    }

    private static boolean hasHeading(String document, String anchor) {
        return HEADING.matcher(document)
                .results()
                .anyMatch(heading -> slug(heading.group(1)).equals(anchor));
    }

    /** How web pages of repositories name the anchor of a heading. */
    private static String slug(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }
}
