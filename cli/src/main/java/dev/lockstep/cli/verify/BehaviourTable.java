package dev.lockstep.cli.verify;

import dev.lockstep.core.InvalidRequestException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All behaviours, in the order in which they are tried. */
public final class BehaviourTable {
    private static final List<Behaviour> ALL = Stream.of(
                    HierarchyBehaviours.all(),
                    MatrixBehaviours.all(),
                    ModeBehaviours.all(),
                    SetBehaviours.all(),
                    CrossingBehaviours.all(),
                    RowBehaviours.all(),
                    DeadlockBehaviours.all(),
                    NestingBehaviours.all(),
                    InputBehaviours.all(),
                    LoadBehaviours.all(),
                    LeaseBehaviours.all(),
                    RestartBehaviours.all(),
                    SnapshotBehaviours.all())
            .flatMap(List::stream)
            .toList();

    private static final List<Behaviour> OF_PAIR =
            Stream.concat(PairBehaviours.all().stream(), ALL.stream()).toList();

    private BehaviourTable() {}

    /** Every behaviour. */
    public static List<Behaviour> all() {
        return ALL;
    }

    /** Those with these ids, or of these requirements, in the order of the table; all when none is named. */
    public static List<Behaviour> only(List<String> names) {
        return only(names, ALL);
    }

    /** The same of a store with a fallback, which has more to show. */
    public static List<Behaviour> onlyOfPair(List<String> names) {
        return only(names, OF_PAIR);
    }

    /** Whether these are all behaviours of a store, or of a store with a fallback. */
    static boolean isWhole(List<Behaviour> behaviours) {
        return behaviours.equals(ALL) || behaviours.equals(OF_PAIR);
    }

    private static List<Behaviour> only(List<String> names, List<Behaviour> all) {
        names.forEach(name -> requireKnown(name, all));
        return all.stream()
                .filter(behaviour -> names.isEmpty() || names.stream().anyMatch(behaviour::isMeantBy))
                .toList();
    }

    private static void requireKnown(String name, List<Behaviour> all) {
        if (all.stream().noneMatch(behaviour -> behaviour.isMeantBy(name))) {
            throw new InvalidRequestException("There is no behaviour '" + name + "'. Name some of "
                    + all.stream().map(Behaviour::id).collect(Collectors.joining(", "))
                    + ", or a requirement such as H4 for all that begin with it.");
        }
    }
}
