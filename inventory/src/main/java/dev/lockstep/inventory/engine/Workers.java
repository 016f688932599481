package dev.lockstep.inventory.engine;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of an inventory; none is started before it is needed, and none keeps a process alive. */
final class Workers implements Executor, AutoCloseable {
    private final ThreadPoolExecutor pool;

    Workers(String name, int threads) {
        pool = new ThreadPoolExecutor(
                threads,
                threads,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> daemon(name, task),
                (task, closed) -> daemon(name, task).start()); // what is left to do after close()
        pool.allowCoreThreadTimeOut(true);
    }

    private static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    @Override
    public void close() {
        pool.shutdown();
    }
}
