package dev.lockstep.server.locks;

import dev.lockstep.core.LockException;
import dev.lockstep.core.Locks;
import java.util.concurrent.Callable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Calls that may wait for a store's answer. A store in memory answers at once, on the thread that asks. */
@Component
final class StoreCalls {
    private final Scheduler scheduler;
    private final boolean inMemory;

    StoreCalls(Locks locks, Scheduler blocking) {
        inMemory = locks.storeName().equals("memory");
        scheduler = inMemory ? Schedulers.immediate() : blocking;
    }

    boolean inMemory() {
        return inMemory;
    }

    /** Does this where calls are made. */
    <T> Mono<T> where(Mono<T> asking) {
        return inMemory ? asking : asking.subscribeOn(scheduler);
    }

    /** The answer of a call that continues when its client vanishes: half a release would be worse than one without a receiver. */
    <T> Mono<T> call(Callable<T> task) {
        return Mono.<T>create(sink -> run(() -> {
                    try {
                        sink.success(task.call());
                    } catch (Throwable e) { // also an Error: a client would wait forever
                        sink.error(e);
                    }
                }))
                .onErrorMap(LockException.class, LockProblems::of);
    }

    void run(Runnable task) {
        scheduler.schedule(task);
    }
}
