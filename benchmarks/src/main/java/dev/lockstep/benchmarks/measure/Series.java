package dev.lockstep.benchmarks.measure;

import java.util.List;
import java.util.stream.IntStream;

/** What one contender reached, round by round. */
public record Series(List<Double> values) {
    public Series {
        values = List.copyOf(values);
        if (values.isEmpty()) {
            throw new IllegalArgumentException("a series needs a value");
        }
    }

    public double median() {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    public double min() {
        return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    public double max() {
        return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /** This one divided by another, round by round: what disturbs a whole round disturbs both. */
    public Series dividedBy(Series other) {
        return new Series(IntStream.range(0, values.size())
                .mapToObj(round -> values.get(round) / other.values.get(round))
                .toList());
    }
}
