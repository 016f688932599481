package dev.lockstep.core;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which kinds were requested while which others were held, since these {@link Locks} were created: what really happened, in the same text as the report
 * of the check while compiling.
 *
 * @param pairs the pairs of kinds, by rank
 * @param complete whether these are all; otherwise there were more pairs than are kept
 */
public record ObservedOrder(List<Pair> pairs, boolean complete) {
    /** Nothing was observed. */
    public static final ObservedOrder NOTHING = new ObservedOrder(List.of(), true);

    /** Copies the list. */
    public ObservedOrder {
        pairs = List.copyOf(pairs);
    }

    /**
     * Two kinds, and where one was requested while the other was held.
     *
     * @param places the first few different places
     */
    public record Pair(String held, int heldRank, String requested, int requestedRank, List<Place> places) {
        /** Copies the list. */
        public Pair {
            places = List.copyOf(places);
        }

        private boolean isReverseOf(Pair other) {
            return held.equals(other.requested)
                    && heldRank == other.requestedRank
                    && requested.equals(other.held)
                    && requestedRank == other.heldRank;
        }

        @Override
        public String toString() {
            String places =
                    this.places.stream().map(each -> "    " + each + "\n").collect(Collectors.joining());
            return held + " (rank " + heldRank + ") -> " + requested + " (rank " + requestedRank + ")\n" + places;
        }
    }

    /**
     * Where a lock was requested while another was held.
     *
     * @param heldSince the line that acquired the held one; empty when it was not recorded, see {@link LocksBuilder#callSites}
     */
    public record Place(CallSite requested, Optional<CallSite> heldSince) {
        @Override
        public String toString() {
            return line(requested)
                    + heldSince.map(since -> ", held since " + line(since)).orElse("");
        }

        /** A line inside of a lambda is one of the method that contains the lambda, as in the report of the compiler. */
        private static String line(CallSite site) {
            StackTraceElement frame = site.frame();
            String method = frame.getMethodName().replaceFirst("^lambda\\$(.+)\\$\\d+$", "$1");
            return frame.getClassName() + "." + method + "(" + frame.getFileName() + ":" + frame.getLineNumber() + ")";
        }
    }

    /** The pairs of different kinds that were nested in both orders, as {@link OrderPolicy#WARN} and {@link OrderPolicy#OFF} allow: each can end in a deadlock. */
    public List<Pair> bothWays() {
        return pairs.stream()
                .filter(pair ->
                        pair.heldRank() != pair.requestedRank() || !pair.held().equals(pair.requested()))
                .filter(pair -> pairs.stream().anyMatch(pair::isReverseOf))
                .toList();
    }

    /** A line for each pair, and the places indented below. */
    @Override
    public String toString() {
        return pairs.stream().map(Pair::toString).collect(Collectors.joining());
    }
}
