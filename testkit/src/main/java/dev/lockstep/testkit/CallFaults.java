package dev.lockstep.testkit;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What goes wrong with one kind of call to a {@link FaultyStore}. */
final class CallFaults {
    private final FaultyStore.Call call;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger lostAnswers = new AtomicInteger();
    private final Queue<HungCall> before = new ConcurrentLinkedQueue<>();
    private final Queue<HungCall> after = new ConcurrentLinkedQueue<>();
    private final Queue<HungCall> made = new ConcurrentLinkedQueue<>();
    private volatile Duration delay = Duration.ZERO;

    CallFaults(FaultyStore.Call call) {
        this.call = call;
    }

    /** A call that has reached the store. */
    record Passage(
            FaultyStore.Call call,
            boolean answerLost,
            @Nullable HungCall hang) {
        void leave() throws InterruptedException {
            if (hang != null) {
                hang.reach();
            }
            if (answerLost) {
                throw unavailable("The answer to " + call + " was lost, as the test asked", null);
            }
        }
    }

    Passage enter() throws InterruptedException {
        calls.incrementAndGet();
        HungCall hang = before.poll();
        if (hang != null) {
            hang.reach();
        }
        if (!delay.isZero()) {
            TimeUnit.NANOSECONDS.sleep(delay.toNanos());
        }
        if (takeOne(failures)) {
            throw unavailable(call + " failed, as the test asked", null);
        }
        return new Passage(call, takeOne(lostAnswers), after.poll());
    }

    private static boolean takeOne(AtomicInteger left) {
        return left.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
    }

    static LockException unavailable(String message, @Nullable Throwable cause) {
        return new LockException(ErrorCode.STORE_UNAVAILABLE, message + ".", List.of(), cause);
    }

    void failNext(int count) {
        failures.set(count);
    }

    void loseAnswers(int count) {
        lostAnswers.set(count);
    }

    HungCall hangBefore() {
        return hang(before);
    }

    HungCall hangAfter() {
        return hang(after);
    }

    private HungCall hang(Queue<HungCall> queue) {
        HungCall hung = new HungCall(call.toString());
        made.add(hung);
        queue.add(hung);
        return hung;
    }

    void delay(Duration time) {
        delay = time;
    }

    int calls() {
        return calls.get();
    }

    void heal() {
        failures.set(0);
        lostAnswers.set(0);
        delay = Duration.ZERO;
        before.clear();
        after.clear();
        made.forEach(HungCall::letGo);
    }
}
