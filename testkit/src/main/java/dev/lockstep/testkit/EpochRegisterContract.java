package dev.lockstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.Epoch.Side;
import dev.lockstep.core.spi.EpochRegister;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every {@link EpochRegister} must do, as tests. A register's own test extends this class and opens the register. */
@Timeout(300)
public abstract class EpochRegisterContract {
    private static final int THREADS = 8;

    /** For subclasses. */
    protected EpochRegisterContract() {}

    /** The register of this test, new at the first call; at later ones the same as others see it, over another connection if it has any. */
    protected abstract EpochRegister open() throws Exception;

    /** How often many threads replace at once. */
    protected int rounds() {
        return 200;
    }

    @Test
    @DisplayName(
            "the first epoch is the primary's, without objections and terms, and its number is about the time in seconds")
    void theFirstEpoch() throws Exception {
        EpochRegister register = open();
        register.requireUsable();
        Epoch first = register.read();
        assertThat(first.side()).isEqualTo(Side.PRIMARY);
        assertThat(first.objections()).isZero();
        assertThat(first.terms()).isEmpty();
        assertThat(first.number()).isGreaterThan(1_600_000_000);
    }

    @Test
    @DisplayName("being usable, and asking for it, changes nothing")
    void askingChangesNothing() throws Exception {
        EpochRegister register = open();
        Epoch first = register.read();
        register.requireUsable();
        assertThat(register.read()).isEqualTo(first);
        assertThat(open().read()).isEqualTo(first);
    }

    @Test
    @DisplayName("what was replaced is seen at once, by others too, in all its parts")
    void seenAtOnce() throws Exception {
        EpochRegister register = open();
        EpochRegister other = open();
        for (Epoch next : steps(register.read())) {
            assertThat(register.replace(other.read(), next)).isTrue();
            assertThat(other.read()).isEqualTo(next);
            assertThat(register.read()).isEqualTo(next);
        }
    }

    private static List<Epoch> steps(Epoch first) {
        Epoch agreed = first.withTerms("primary redis, epochTerm 10000 ms; 'quoted' \\ \u00e4\u65e5 ");
        Epoch away = agreed.switched().objected().objected();
        return List.of(
                agreed,
                agreed.opened(),
                agreed.opened().switched(),
                away.opened(),
                away.switched().opened());
    }

    @Test
    @DisplayName("an epoch is replaced only if it is the expected one in every part")
    void onlyTheExpectedOne() throws Exception {
        EpochRegister register = open();
        Epoch now = new Epoch(register.read().number() + 7, Side.SECONDARY, true, 3, "Terms");
        assertThat(register.replace(register.read(), now)).isTrue();
        List<Epoch> others = List.of(
                new Epoch(now.number() + 1, now.side(), now.open(), now.objections(), now.terms()),
                new Epoch(now.number() - 1, now.side(), now.open(), now.objections(), now.terms()),
                new Epoch(now.number(), Side.PRIMARY, now.open(), now.objections(), now.terms()),
                new Epoch(now.number(), now.side(), false, now.objections(), now.terms()),
                new Epoch(now.number(), now.side(), now.open(), 4, now.terms()),
                new Epoch(now.number(), now.side(), now.open(), now.objections(), ""),
                new Epoch(now.number(), now.side(), now.open(), now.objections(), "terms"),
                new Epoch(now.number(), now.side(), now.open(), now.objections(), "Terms "));
        for (Epoch wrong : others) {
            assertThat(register.replace(wrong, now.switched())).as("%s", wrong).isFalse();
            assertThat(register.read()).isEqualTo(now);
        }
    }

    @Test
    @DisplayName("an epoch can be replaced by itself")
    void byItself() throws Exception {
        EpochRegister register = open();
        Epoch now = register.read();
        assertThat(register.replace(now, now)).isTrue();
        assertThat(register.read()).isEqualTo(now);
    }

    @Test
    @DisplayName("of many who replace the same epoch at once, exactly one does")
    void oneWinner() throws Exception {
        AtomicInteger winners = new AtomicInteger();
        CyclicBarrier together = new CyclicBarrier(THREADS);
        Epoch first = open().read();
        List<EpochRegister> registers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            registers.add(open());
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> races = new ArrayList<>();
            registers.forEach(each -> races.add(threads.submit(() -> race(each, first, together, winners))));
            for (Future<?> race : races) {
                race.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(winners).hasValue(rounds());
        assertThat(open().read().number()).isEqualTo(first.number() + rounds());
    }

    private boolean race(EpochRegister register, Epoch first, CyclicBarrier together, AtomicInteger winners)
            throws Exception {
        Epoch now = first;
        for (int round = 0; round < rounds(); round++) {
            together.await(60, TimeUnit.SECONDS);
            if (register.replace(now, now.switched())) {
                winners.incrementAndGet();
            }
            now = now.switched();
        }
        return true;
    }
}
