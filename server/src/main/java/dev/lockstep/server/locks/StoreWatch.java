package dev.lockstep.server.locks;

import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.LockStore;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** Writes one line when the store of the locks becomes unreachable and one when it is back, whether or not a client asks meanwhile. */
@Component
final class StoreWatch implements DisposableBean {
    private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);
    private static final long EVERY_SECONDS = 2;

    private final ObjectProvider<LockStore> store;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "lockstep-server-store-watch");
        thread.setDaemon(true);
        return thread;
    });
    private boolean unreachable;

    StoreWatch(ObjectProvider<LockStore> store) {
        this.store = store;
        var unused = clock.scheduleWithFixedDelay(this::look, EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
    }

    private void look() {
        try {
            store.ifUnique(LockStore::ping);
            if (unreachable) {
                LOG.warn("The store of the locks is reachable again");
            }
            unreachable = false;
        } catch (LockException e) {
            unreachable(e);
        } catch (RuntimeException e) { // would end the watch for good
            LOG.debug("The store of the locks could not be asked", e);
        }
    }

    private void unreachable(LockException e) {
        if (!unreachable) {
            LOG.warn("The store of the locks is unreachable, and nothing is granted: {}", e.getMessage());
        }
        unreachable = true;
    }

    @Override
    public void destroy() {
        clock.shutdownNow();
    }
}
