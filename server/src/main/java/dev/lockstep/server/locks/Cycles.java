package dev.lockstep.server.locks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds requests that wait for each other in a cycle, at least one cycle of each knot. */
final class Cycles {
    private Cycles() {}

    static List<List<String>> in(List<Graph.Edge> edges) {
        Map<String, Set<String>> waitsFor = new LinkedHashMap<>();
        for (Graph.Edge edge : edges) {
            waitsFor.computeIfAbsent(edge.from(), any -> new LinkedHashSet<>()).add(edge.to());
        }
        dropThoseWhoWillGoOn(waitsFor);
        List<List<String>> cycles = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String start : waitsFor.keySet()) {
            walk(start, waitsFor, seen, cycles);
        }
        return cycles;
    }

    /** A request that waits only for holders that don't wait will continue. What is left after that waits for a cycle, or is in one. */
    private static void dropThoseWhoWillGoOn(Map<String, Set<String>> waitsFor) {
        boolean dropped = true;
        while (dropped) {
            waitsFor.values().forEach(others -> others.retainAll(waitsFor.keySet()));
            dropped = waitsFor.values().removeIf(Set::isEmpty);
        }
    }

    private static void walk(
            String start, Map<String, Set<String>> waitsFor, Set<String> seen, List<List<String>> cycles) {
        List<String> path = new ArrayList<>();
        Map<String, Integer> places = new HashMap<>();
        String at = start;
        while (seen.add(at)) {
            places.put(at, path.size());
            path.add(at);
            at = waitsFor.getOrDefault(at, Set.of()).iterator().next();
        }
        if (places.containsKey(at)) {
            cycles.add(List.copyOf(path.subList(places.get(at), path.size())));
        }
    }
}
