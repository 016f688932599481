package dev.lockstep.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table that is readable as text and valid as Markdown. The first column is text, the others are numbers. */
public final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(List<String> header) {
        rows.add(List.copyOf(header));
    }

    public void add(List<String> row) {
        if (row.size() != rows.get(0).size()) {
            throw new IllegalArgumentException(row + " has not as many cells as " + rows.get(0));
        }
        rows.add(List.copyOf(row));
    }

    @Override
    public String toString() {
        List<String> lines = rows.stream().map(this::line).collect(Collectors.toCollection(ArrayList::new));
        lines.add(1, columns(column -> "-".repeat(width(column) + 1) + (column == 0 ? "-" : ":"), "|"));
        return String.join("\n", lines);
    }

    private String line(List<String> row) {
        return columns(column -> " " + padded(row.get(column), column) + " ", "|");
    }

    private String padded(String cell, int column) {
        String padding = " ".repeat(width(column) - cell.length());
        return column == 0 ? cell + padding : padding + cell;
    }

    private String columns(IntFunction<String> cell, String border) {
        return IntStream.range(0, rows.get(0).size())
                .mapToObj(cell)
                .collect(Collectors.joining(border, border, border));
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
