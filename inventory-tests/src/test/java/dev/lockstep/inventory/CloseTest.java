package dev.lockstep.inventory;

import static dev.lockstep.inventory.StockLine.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CloseTest {
    @Test
    void waitsForRequestsInFlight() throws Exception {
        HeldCommits commits = new HeldCommits();
        try (TestShop shop = TestShop.onH2()) {
            try (Inventory other = shop.inventory().build()) {
                assertThat(other.receive(line("SHIRT", "TOKYO", 5), "in")).isInstanceOf(Received.class);
            }
            Inventory inventory =
                    TestShop.patient(commits.on(shop.dataSource())).build();
            CompletableFuture<Outcome> answer =
                    inventory.submit(new Reserve(Order.of(line("SHIRT", "TOKYO", 1)), "r1"));
            commits.await(1);
            CompletableFuture<Boolean> closed = new CompletableFuture<>();
            Thread closing = new Thread(() -> {
                inventory.close();
                closed.complete(answer.isDone());
            });
            closing.start();
            await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
            commits.release();
            assertThat(closed.join()).isTrue();
            assertThat(answer.join()).isInstanceOf(Reserved.class);
        }
    }
}
