package dev.lockstep.benchmarks.measure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** How long waits took, in nanoseconds. Compared by identity: it is filled while it is used. */
public final class WaitTimes {
    private final List<Long> nanos = new ArrayList<>();

    public synchronized void add(long waited) {
        nanos.add(waited);
    }

    public synchronized void addAll(Collection<Long> waited) {
        nanos.addAll(waited);
    }

    public synchronized void clear() {
        nanos.clear();
    }

    public synchronized List<Long> all() {
        return List.copyOf(nanos);
    }

    public int count() {
        return all().size();
    }

    public double median() {
        return percentile(50);
    }

    public double max() {
        return percentile(100);
    }

    /** The wait, in milliseconds, that this share of all waits didn't exceed. */
    public double percentile(double percent) {
        List<Long> sorted = new ArrayList<>(all());
        if (sorted.isEmpty()) {
            throw new IllegalStateException("nothing has waited");
        }
        Collections.sort(sorted);
        int rank = (int) Math.ceil(percent / 100 * sorted.size());
        return sorted.get(Math.max(rank, 1) - 1) / 1e6;
    }
}
