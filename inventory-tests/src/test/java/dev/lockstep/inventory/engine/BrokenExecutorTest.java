package dev.lockstep.inventory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.LockClock;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.books.PendingCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An executor that fails for a moment, as without memory for a thread, stops nothing for good. */
@Timeout(120)
class BrokenExecutorTest {
    private final StockGate gate = new StockGate();

    private static PendingCommand work(String id) {
        return PendingCommands.reserve(id, StockLine.line("SHIRT", "TOKYO", 1));
    }

    private static Consumer<Runnable> broken() {
        return leave -> {
            throw new OutOfMemoryError("a test");
        };
    }

    @Test
    void theTimerTriesATaskAgain() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        try (Timer timer = new Timer(LockClock.system())) {
            timer.after(
                    Duration.ZERO,
                    task -> {
                        if (calls.incrementAndGet() == 1) {
                            throw new OutOfMemoryError("a test");
                        }
                        task.run();
                    },
                    done::countDown);
            done.await();
        }
        assertThat(calls).hasValue(2);
    }

    @Test
    void aVisitorThatCannotStartLeavesTheGateOpen() {
        List<Runnable> admitted = new ArrayList<>();
        assertThatThrownBy(() -> gate.admit(work("r-1"), broken())).isInstanceOf(OutOfMemoryError.class);
        gate.admit(work("r-2"), admitted::add);
        assertThat(admitted).hasSize(1);
    }

    @Test
    void aWaitingVisitorThatCannotStartLetsTheNextIn() {
        List<Runnable> admitted = new ArrayList<>();
        gate.admit(work("r-1"), admitted::add);
        gate.admit(work("r-2"), broken());
        gate.admit(work("r-3"), admitted::add);
        admitted.get(0).run();
        assertThat(admitted).hasSize(2);
    }
}
