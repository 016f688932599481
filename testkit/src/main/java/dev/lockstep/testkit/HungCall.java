package dev.lockstep.testkit;

import java.util.concurrent.CountDownLatch;

/** A call to a {@link FaultyStore} that hangs until it is released. */
public final class HungCall {
    private final String name;
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);

    HungCall(String name) {
        this.name = name;
    }

    void reach() throws InterruptedException {
        reached.countDown();
        letGo.await();
    }

    /** Waits until a call hangs here. */
    public void awaitReached() {
        Eventually.await(this::isReached, () -> "no call of " + name + " came to hang");
    }

    /** Whether a call hangs, or hung, here. */
    public boolean isReached() {
        return reached.getCount() == 0;
    }

    /** Lets the call continue. */
    public void letGo() {
        letGo.countDown();
    }
}
