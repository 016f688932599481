package dev.lockstep.cli.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The behaviours that {@code verify} promises to try, from {@code behaviours.md}. */
public final class DocumentedBehaviours {
    /**
     * A row.
     *
     * @param where the stores that have the behaviour, or {@code everywhere}
     */
    public record Row(String id, String title, String where) {
        boolean appliesTo(String store) {
            return where.equals("everywhere") || List.of(where.split(", ", -1)).contains(store);
        }
    }

    private static final Path PAGE = Path.of("src", "test", "resources", "behaviours.md");

    private DocumentedBehaviours() {}

    /** All rows. */
    public static List<Row> rows() {
        try {
            return Files.readAllLines(PAGE).stream()
                    .filter(line -> line.matches("\\| [A-Z]\\d+(\\.\\d+)* \\|.*"))
                    .map(line -> Arrays.stream(line.split("\\|", -1))
                            .map(String::strip)
                            .toList())
                    .map(cells -> new Row(cells.get(1), cells.get(2), cells.get(3)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The ids of the behaviours of a store without a fallback that don't apply to this one. */
    public static List<String> inapplicableTo(String store) {
        return rows().stream()
                .filter(row -> !row.where().equals("with `--fallback`") && !row.appliesTo(store))
                .map(Row::id)
                .toList();
    }
}
