package dev.lockstep.server.demo;

import dev.lockstep.core.LockException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A simulated worker: a thread that works until it is interrupted. */
record Worker(String name, DemoContext scene, WorkerTask shift) implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final int AFTER_TROUBLE = 500;

    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                workOnce();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the demo ends
        }
    }

    private void workOnce() throws InterruptedException {
        try {
            shift.work(scene);
        } catch (LockException e) {
            LOG.debug("{} continues without: {}", name, e.getMessage()); // timeouts and refusals belong to the picture
            scene.pass(AFTER_TROUBLE / 5, AFTER_TROUBLE);
        }
    }

    Thread start() {
        Thread thread = new Thread(this, "demo-" + name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
