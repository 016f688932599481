package dev.lockstep.ordercheck;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The leases that are held at some place of a method, each once. It doesn't change. */
record HeldLeases(List<HeldModel> all) {
    HeldLeases {
        all = List.copyOf(all);
    }

    @Nullable
    HeldModel find(@Nullable Object identity) {
        for (HeldModel each : all) {
            if (each.identity() == identity) {
                return each;
            }
        }
        return null;
    }

    /** With that lease last, as it is known now. */
    HeldLeases with(HeldModel lease) {
        List<HeldModel> more = new ArrayList<>(without(lease.identity()::equals).all);
        more.add(lease);
        return new HeldLeases(more);
    }

    HeldLeases without(Predicate<Object> closed) {
        return new HeldLeases(
                all.stream().filter(each -> !closed.test(each.identity())).toList());
    }

    HeldLeases mapped(UnaryOperator<HeldModel> change) {
        return new HeldLeases(all.stream().map(change).toList());
    }

    HeldLeases unsure() {
        return mapped(HeldModel::unsure);
    }

    /** What is held whichever of two ways was taken. */
    HeldLeases merged(HeldLeases other) {
        return mapped(each -> {
            HeldModel found = other.find(each.identity());
            return found != null && found.sure() ? each : each.unsure();
        });
    }

    /** What is left of it after a block or a try: what was unsure before is so again. */
    HeldLeases leftAfter(HeldLeases block) {
        List<HeldModel> left = new ArrayList<>();
        for (HeldModel each : all) {
            HeldModel now = block.find(each.identity());
            if (now != null) {
                left.add(each.sure() ? now : each);
            }
        }
        return new HeldLeases(left);
    }

    /** What is known of it beside code that runs at some time: what is closed in there is unsure. */
    HeldLeases beside(HeldLeases elsewhere) {
        return mapped(each -> elsewhere.find(each.identity()) == null ? each.unsure() : each);
    }

    List<HeldModel> seenBy(HolderModel holder) {
        return all.stream().filter(each -> holder.sees(each.holder())).toList();
    }
}
