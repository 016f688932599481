package dev.lockstep.cli.store;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.LockStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A store, and the database that stands in for it.
 *
 * @param name of the two in the database's register
 */
public record PairAddress(StoreAddress primary, DatabaseAddress secondary, String name) implements StoreAddress {
    /** These two. */
    public static PairAddress of(StoreAddress primary, DatabaseAddress secondary, String name) {
        if (primary instanceof MemoryAddress) {
            throw new InvalidRequestException(
                    "Locks in memory are never away, and need no --fallback. Name a Redis server or a database with --store, or"
                            + " leave --fallback out.");
        }
        return new PairAddress(primary, secondary, name);
    }

    /** A member of the pair, which may switch it: to look, read the register instead. */
    @Override
    public LockStore open() {
        return FallbackStore.of(primary.open(), secondary.open()).named(name);
    }

    /** What says which store's turn it is, kept by this store. */
    public EpochRegister register(LockStore opened) {
        return opened.epochs(name)
                .orElseThrow(() -> new InvalidRequestException(secondary
                        + " can't keep the register that says which store's turn it is. Name a database of MySQL, MariaDB or"
                        + " PostgreSQL."));
    }

    @Override
    public Diagnosis examine() {
        List<Finding> all = new ArrayList<>();
        primary.examine().findings().forEach(each -> all.add(of("Store: ", each)));
        Diagnosis other = secondary.examine();
        other.findings().forEach(each -> all.add(of("Fallback: ", each)));
        if (other.isHealthy()) { // else it was said already
            all.add(examineRegister());
        }
        return new Diagnosis(all);
    }

    private static Finding of(String which, Finding finding) {
        return new Finding(finding.severity(), which + finding.what(), finding.whatToDo());
    }

    private Finding examineRegister() {
        try (LockStore opened = secondary.open()) {
            EpochRegister register = register(opened);
            register.requireUsable();
            Epoch epoch = register.read();
            return Finding.ok(
                    "Fallback: The register of the pair '" + name + "' is there, and can be written.",
                    "Epoch " + epoch.number() + ", in which "
                            + (epoch.side() == Epoch.Side.PRIMARY ? "the store" : "the fallback") + " grants locks"
                            + (epoch.open() ? "." : ", once all earlier leases have expired."));
        } catch (LockException e) {
            return Finding.error("Fallback: The register of the pair '" + name + "' can't be used.", Finding.reason(e));
        }
    }

    @Override
    public Diagnosis examineSight() {
        return primary.examineSight();
    }

    @Override
    public Optional<String> whyNothingToProvision() {
        return primary.whyNothingToProvision().flatMap(why -> secondary.whyNothingToProvision());
    }

    @Override
    public Scratch scratch(String id, LockKind... kinds) {
        return PairScratch.create(this, id, kinds);
    }

    @Override
    public void close() {
        try {
            primary.close();
        } finally {
            secondary.close();
        }
    }

    @Override
    public String toString() {
        return primary + " with " + secondary + " as its fallback";
    }
}
