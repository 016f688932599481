package dev.lockstep.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;

@Label("lock modes")
@Tag("once") // its subject is the model
class LockModePropertyTest {
    private static final List<String> ORDER = List.of("IS", "IX", "S", "SIX", "X");

    /** Gray, Lorie, Putzolu, Traiger 1976, table 1. */
    private static final String[] COMPATIBLE = {
        //      IS IX S SIX X
        "yes yes yes yes no", // IS
        "yes yes no  no  no", // IX
        "yes no  yes no  no", // S
        "yes no  no  no  no", // SIX
        "no  no  no  no  no", // X
    };

    /** The same paper's partial order: which modes are at least as strong as each mode. */
    private static final String[] STRONGER_OR_EQUAL = {
        "IS IX S SIX X", // IS
        "IX SIX X", // IX
        "S SIX X", // S
        "SIX X", // SIX
        "X", // X
    };

    @Property
    @Label("the compatibility matrix is the textbook's")
    void matrix(@ForAll LockMode one, @ForAll LockMode other) {
        String row = COMPATIBLE[ORDER.indexOf(one.symbol())];
        boolean expected = row.split(" +", -1)[ORDER.indexOf(other.symbol())].equals("yes");
        assertThat(one.compatibleWith(other)).isEqualTo(expected);
        assertThat((one.conflicts() & other.bit()) == 0).isEqualTo(expected);
    }

    @Property
    @Label("compatibility is symmetric")
    void symmetric(@ForAll LockMode one, @ForAll LockMode other) {
        assertThat(one.compatibleWith(other)).isEqualTo(other.compatibleWith(one));
    }

    @Property
    @Label("covers is the textbook's partial order")
    void partialOrder(@ForAll LockMode one, @ForAll LockMode other) {
        List<String> above = List.of(STRONGER_OR_EQUAL[ORDER.indexOf(other.symbol())].split(" ", -1));
        assertThat(one.covers(other)).isEqualTo(above.contains(one.symbol()));
    }

    @Property
    @Label("covers is reflexive, transitive and antisymmetric")
    void orderLaws(@ForAll LockMode a, @ForAll LockMode b, @ForAll LockMode c) {
        assertThat(a.covers(a)).isTrue();
        if (a.covers(b) && b.covers(c)) {
            assertThat(a.covers(c)).isTrue();
        }
        if (a.covers(b) && b.covers(a)) {
            assertThat(a).isEqualTo(b);
        }
    }

    @Property
    @Label("join is commutative, associative and idempotent")
    void joinLaws(@ForAll LockMode a, @ForAll LockMode b, @ForAll LockMode c) {
        assertThat(a.join(b)).isEqualTo(b.join(a));
        assertThat(a.join(b).join(c)).isEqualTo(a.join(b.join(c)));
        assertThat(a.join(a)).isEqualTo(a);
    }

    @Property
    @Label("join is the least upper bound")
    void leastUpperBound(@ForAll LockMode a, @ForAll LockMode b) {
        List<LockMode> upper = Arrays.stream(LockMode.values())
                .filter(mode -> mode.covers(a) && mode.covers(b))
                .toList();
        assertThat(upper).contains(a.join(b));
        assertThat(upper).allMatch(bound -> bound.covers(a.join(b)));
    }

    @Property
    @Label("what conflicts with a mode conflicts with every mode that covers it")
    void coveringIsStronger(@ForAll LockMode a, @ForAll LockMode b, @ForAll LockMode other) {
        if (a.covers(b) && !other.compatibleWith(b)) {
            assertThat(other.compatibleWith(a)).isFalse();
        }
    }

    @Property
    @Label("a join conflicts with exactly what one of the two conflicts with")
    void joinAddsNoConflict(@ForAll LockMode a, @ForAll LockMode b, @ForAll LockMode other) {
        assertThat(other.compatibleWith(a.join(b))).isEqualTo(other.compatibleWith(a) && other.compatibleWith(b));
    }

    @Property
    @Label("a subtree's lock meets every lock inside it at the subtree's root")
    void coversBelowMeansProtectedBelow(@ForAll LockMode above, @ForAll LockMode below, @ForAll LockMode other) {
        if (above.coversBelow(below) && !other.compatibleWith(below)) {
            // the other one holds its intent on the root; or its lock there already conflicts
            assertThat(other.intent().compatibleWith(above)).isFalse();
        }
    }

    @Property
    @Label("an intent is the weakest mode whose holder may lock that way below")
    void intents(@ForAll LockMode mode) {
        boolean writes = mode == LockMode.EXCLUSIVE
                || mode == LockMode.SHARED_INTENT_EXCLUSIVE
                || mode == LockMode.INTENT_EXCLUSIVE;
        assertThat(mode.intent().symbol()).isEqualTo(writes ? "IX" : "IS");
    }
}
