package dev.lockstep.server.demo;

import dev.lockstep.inventory.Inventory;
import dev.lockstep.server.http.Problem;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** The flash sales of the demo, one at a time. */
@Component
@ConditionalOnProperty("lockstep.server.demo")
final class FlashSales implements DisposableBean {
    private static final int THREADS = 2;

    private final Inventory inventory;
    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS, FlashSales::thread);
    private @Nullable FlashSaleRun last;

    FlashSales(Inventory inventory) {
        this.inventory = inventory;
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "demo-flash-sale");
        thread.setDaemon(true);
        return thread;
    }

    /** Begins one; a second beside it is refused. */
    synchronized FlashSaleView begin(FlashSaleRequest asked) {
        if (last != null && last.isRunning()) {
            throw Problem.of(
                    HttpStatus.CONFLICT,
                    "sale-running",
                    true,
                    "A flash sale is running, and there is one at a time. Ask again when GET /api/demo/flash-sale says that it"
                            + " has ended.");
        }
        FlashSaleRequest request = asked.checked();
        last = new FlashSaleRun(
                inventory,
                executor,
                "FLASH-" + UUID.randomUUID().toString().substring(0, 8),
                Objects.requireNonNull(request.stock()),
                Objects.requireNonNull(request.buyers()),
                Objects.requireNonNull(request.orders()));
        last.begin();
        return last.view();
    }

    synchronized FlashSaleView last() {
        if (last == null) {
            throw Problem.of(
                    HttpStatus.NOT_FOUND,
                    "not-found",
                    false,
                    "There was no flash sale yet. Start one with POST /api/demo/flash-sale.");
        }
        return last.view();
    }

    @Override
    public void destroy() {
        executor.shutdownNow();
    }
}
