package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.inventory.Command.Cancel;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** While a database hangs, looking up the outcome of a request ends with an error that says why. */
@Timeout(120)
class OutcomeOfTest {
    private final CountDownLatch open = new CountDownLatch(1);
    private final AtomicInteger connecting = new AtomicInteger();
    private final AtomicInteger submitted = new AtomicInteger();
    private final Tap hanging = new Tap() {
        @Override
        public Connection connect(DataSource real) throws SQLException {
            connecting.incrementAndGet();
            await().atMost(Duration.ofMinutes(2)).until(() -> open.getCount() == 0);
            return real.getConnection();
        }
    };
    private TestShop shop;

    @BeforeEach
    void openShop() {
        shop = TestShop.onH2();
    }

    @AfterEach
    void closeShop() throws SQLException {
        shop.close();
    }

    private Inventory hanging(Duration patience) {
        Inventory inventory = TestShop.patient(hanging.on(shop.dataSource()))
                .patience(patience)
                .sweepEvery(Duration.ZERO)
                .build();
        await().atMost(Duration.ofMinutes(1))
                .until(
                        () -> { // as many queries hang as run at once
                            var unused = inventory.submit(new Cancel("r", "c-" + submitted.incrementAndGet()));
                            return connecting.get() == 2;
                        });
        return inventory;
    }

    private static ErrorCode errorOf(Inventory inventory) {
        return catchThrowableOfType(LockException.class, () -> inventory.outcomeOf(new Cancel("r", "c")))
                .code();
    }

    @Test
    void isUnavailableAfterThePatience() {
        try (Inventory inventory = hanging(Duration.ofMillis(50))) {
            ErrorCode error = errorOf(inventory);
            open.countDown();
            assertThat(error).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        }
    }

    @Test
    void canBeInterrupted() {
        try (Inventory inventory = hanging(Duration.ofMinutes(1))) {
            Thread.currentThread().interrupt();
            ErrorCode error = errorOf(inventory);
            boolean interrupted = Thread.interrupted();
            open.countDown();
            assertThat(error).isEqualTo(ErrorCode.INTERRUPTED);
            assertThat(interrupted).isTrue();
        }
    }
}
