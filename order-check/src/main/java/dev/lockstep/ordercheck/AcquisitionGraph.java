package dev.lockstep.ordercheck;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Which kinds are acquired while which are held, and where: the report. */
final class AcquisitionGraph {
    private static final Comparator<KnownKind> BY_RANK =
            Comparator.comparingInt(KnownKind::rank).thenComparing(KnownKind::prefix);

    private record Edge(KnownKind held, KnownKind acquired) implements Comparable<Edge> {
        @Override
        public int compareTo(Edge other) {
            int byHeld = BY_RANK.compare(held, other.held);
            return byHeld != 0 ? byHeld : BY_RANK.compare(acquired, other.acquired);
        }
    }

    private record Place(CodeSite acquired, CodeSite held) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byAcquired = acquired.compareTo(other.acquired);
            return byAcquired != 0 ? byAcquired : held.compareTo(other.held);
        }
    }

    private final Map<Edge, TreeSet<Place>> edges = new TreeMap<>();

    void add(GuardModel.Decision decision, RequestModel request, List<HeldModel> held, CodeSite at) {
        for (LockModel lock : decision.rest()) {
            KnownKind acquired = lock.kind();
            if (acquired == null || !lock.isTarget()) {
                continue;
            }
            for (HeldModel lease : held) {
                if (lease.sure()) {
                    add(lease, acquired, at);
                }
            }
        }
    }

    private void add(HeldModel lease, KnownKind acquired, CodeSite at) {
        for (LockModel lock : lease.locks()) {
            KnownKind held = lock.kind();
            if (held != null && lock.isTarget()) {
                edges.computeIfAbsent(new Edge(held, acquired), each -> new TreeSet<>())
                        .add(new Place(at, lease.site()));
            }
        }
    }

    /** The text: a line for each pair of kinds, and the places indented below. */
    String text() {
        StringBuilder text = new StringBuilder();
        edges.forEach((edge, places) -> {
            text.append(edge.held()).append(" -> ").append(edge.acquired()).append('\n');
            for (Place each : places) {
                text.append("    ")
                        .append(each.acquired())
                        .append(", held since ")
                        .append(each.held())
                        .append('\n');
            }
        });
        return text.toString();
    }

    /** The same as a graph in the language of Graphviz; what is against the ranks is red. */
    String dot() {
        Collection<String> lines = edges.keySet().stream()
                .map(edge -> "  \"" + edge.held() + "\" -> \"" + edge.acquired() + "\""
                        + (edge.acquired().rank() > edge.held().rank() ? "" : " [color=red]") + ";\n")
                .toList();
        return lines.stream().collect(Collectors.joining("", "digraph \"lock order\" {\n", "}\n"));
    }
}
