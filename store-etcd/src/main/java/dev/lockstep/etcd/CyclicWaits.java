package dev.lockstep.etcd;

import dev.lockstep.core.LockMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/*
 * The strongly connected components of the waits, by Tarjan's method without recursion. A lease that waits at a key would have an edge to each conflicting
 * entry ahead of it, which are too many for a long queue. So it has one edge to the place before its own, and each place has one to its entry
 * and one to the place before that. Every cycle leads through such places, so a component with one member has none.
 */

/** Finds the waiting leases that are part of cycles, all of them in one pass. */
final class CyclicWaits {
    private static final Comparator<StoredEntry> ORDER = Comparator.comparingLong(StoredEntry::created);

    /** The wait for those of a key's first entries that conflict with a mode. */
    private record Place(String key, LockMode mode, int first) {}

    /** A lease or a place on the way. */
    private static final class Node {
        final Object what;
        final Iterator<Object> next;
        final int number;
        int lowest;
        boolean open = true;

        Node(Object what, Iterator<Object> next, int number) {
            this.what = what;
            this.next = next;
            this.number = number;
            lowest = number;
        }
    }

    private final EntryTable table;
    private final Map<Object, Node> nodes = new HashMap<>();
    private final Deque<Node> open = new ArrayDeque<>();
    private final Set<UUID> cyclic = new HashSet<>();

    private CyclicWaits(EntryTable table) {
        this.table = table;
    }

    static Set<UUID> of(EntryTable table) {
        CyclicWaits search = new CyclicWaits(table);
        table.waiters().keySet().forEach(search::visit);
        return search.cyclic;
    }

    private void visit(UUID start) {
        Deque<Node> way = new ArrayDeque<>();
        if (!nodes.containsKey(start)) {
            way.push(open(start));
        }
        for (@Nullable Node node = way.peek(); node != null; node = way.peek()) {
            if (node.next.hasNext()) {
                follow(node, node.next.next(), way);
            } else {
                way.pop();
                leave(node, way.peek());
            }
        }
    }

    private Node open(Object what) {
        List<Object> next = what instanceof Place place ? next(place) : next((UUID) what);
        Node node = new Node(what, next.iterator(), nodes.size());
        nodes.put(what, node);
        open.push(node);
        return node;
    }

    private void follow(Node from, Object to, Deque<Node> way) {
        Node known = nodes.get(to);
        if (known == null) {
            way.push(open(to));
        } else if (known.open) {
            from.lowest = Math.min(from.lowest, known.number);
        }
    }

    private void leave(Node node, @Nullable Node before) {
        if (before != null) {
            before.lowest = Math.min(before.lowest, node.lowest);
        }
        if (node.lowest == node.number) {
            close(node);
        }
    }

    /** What was opened since this node is one component with it. */
    private void close(Node root) {
        boolean alone = open.peek() == root;
        Node member;
        do {
            member = open.pop();
            member.open = false;
            if (!alone && member.what instanceof UUID lease) {
                cyclic.add(lease);
            }
        } while (member != root);
    }

    private List<Object> next(UUID lease) {
        StoredEntry waiting = table.waiters().get(lease);
        if (waiting == null) {
            return List.of();
        }
        int ahead = Collections.binarySearch(table.ofKey(waiting.key()), waiting, ORDER);
        return List.of(new Place(waiting.key(), waiting.mode(), ahead));
    }

    private List<Object> next(Place place) {
        if (place.first() <= 0) {
            return List.of();
        }
        StoredEntry last = table.ofKey(place.key()).get(place.first() - 1);
        List<Object> next = new ArrayList<>();
        next.add(new Place(place.key(), place.mode(), place.first() - 1));
        if (!last.mode().compatibleWith(place.mode())) {
            next.addAll(table.waits(last) ? List.of(last.lease()) : table.heldUpBy(last.lease()));
        }
        return next;
    }
}
