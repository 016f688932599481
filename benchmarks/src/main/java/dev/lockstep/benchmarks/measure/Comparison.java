package dev.lockstep.benchmarks.measure;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Lockstep against one peer.
 *
 * @param title what was done
 * @param ours what Lockstep reached
 * @param theirs what the peer reached in the same rounds
 * @param asked the ratio that is asked for, if one is
 */
public record Comparison(String title, Series ours, Series theirs, OptionalDouble asked) {
    public static final List<String> HEADER = List.of("what", "Lockstep", "peer", "ratio", "asked", "");

    public static Comparison asking(double ratio, String title, Series ours, Series theirs) {
        return new Comparison(title, ours, theirs, OptionalDouble.of(ratio));
    }

    public static Comparison only(String title, Series ours, Series theirs) {
        return new Comparison(title, ours, theirs, OptionalDouble.empty());
    }

    /** The median of the rounds' ratios. */
    public double ratio() {
        return ours.dividedBy(theirs).median();
    }

    public boolean reached() {
        return asked.isEmpty() || ratio() >= asked.getAsDouble();
    }

    public List<String> row() {
        boolean asks = asked.isPresent();
        return List.of(
                title,
                number("%,.0f", ours.median()),
                number("%,.0f", theirs.median()),
                number("%.2f", ratio()),
                asks ? "≥ " + number("%.2f", asked.getAsDouble()) : "",
                asks ? (reached() ? "✓" : "✗") : "");
    }

    public static String table(List<Comparison> comparisons) {
        TextTable table = new TextTable(HEADER);
        comparisons.forEach(comparison -> table.add(comparison.row()));
        return table.toString();
    }

    public static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
