package dev.lockstep.benchmarks.inventory;

import java.util.ArrayList;
import java.util.List;

/**
 * An axis on which each step multiplies.
 *
 * @param min the value at its beginning
 * @param max the value at its end
 * @param from where it begins in the picture
 * @param to where it ends in the picture
 */
record LogScale(double min, double max, double from, double to) {
    private static final List<Integer> STEPS = List.of(1, 2, 5);

    LogScale {
        if (!(min > 0 && max > min)) {
            throw new IllegalArgumentException("no scale from " + min + " to " + max);
        }
    }

    /** From the power of ten below all values to the one above them. */
    static LogScale around(List<Double> values, double from, double to) {
        double least = values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        double most = values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        double min = Math.pow(10, Math.floor(Math.log10(least)));
        double max = Math.pow(10, Math.ceil(Math.log10(most)));
        return new LogScale(min, max > min ? max : 10 * min, from, to);
    }

    double at(double value) {
        return from + (to - from) * Math.log(value / min) / Math.log(max / min);
    }

    /** Round values on it; only powers of ten when it spans many. */
    List<Double> ticks() {
        int first = (int) Math.floor(Math.log10(min));
        int last = (int) Math.ceil(Math.log10(max));
        List<Double> ticks = new ArrayList<>();
        for (int power = first; power <= last; power++) {
            for (int step : last - first > 2 ? STEPS.subList(0, 1) : STEPS) {
                double tick = step * Math.pow(10, power);
                if (tick >= min * 0.999 && tick <= max * 1.001) {
                    ticks.add(tick);
                }
            }
        }
        return ticks;
    }
}
