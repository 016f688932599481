package dev.lockstep.inventory.books;

import static dev.lockstep.inventory.StockLine.line;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Expire;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Command.Ship;
import dev.lockstep.inventory.Order;
import dev.lockstep.inventory.StockLine;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PayloadTest {
    private static final StockLine LINE = line("a", "b", 1);

    private static String hash(Command command) {
        return command.reservation().isPresent()
                ? PendingCommands.of(command, List.of(LINE)).hash()
                : PendingCommands.of(command).hash();
    }

    private static String reserve(StockLine... lines) {
        return hash(new Reserve(Order.of(lines), "r"));
    }

    @Test
    void isTheSameInEveryProcess() {
        assertThat(reserve(LINE)).isEqualTo(reserve(line("a", "b", 1))).matches("[0-9a-f]{32}");
        assertThat(hash(new Reserve(Order.of(line("SHIRT-001", "東京", 2)).heldFor(Duration.ofMinutes(15)), "r")))
                .isEqualTo("909fb3d1d9cedf265c6d6bd5b32ceda3");
    }

    @Test
    void theRequestIdAndTheOrderOfLinesAreNoPartOfIt() {
        assertThat(hash(new Reserve(Order.of(LINE), "one"))).isEqualTo(hash(new Reserve(Order.of(LINE), "other")));
        assertThat(reserve(line("a", "b", 1), line("c", "d", 2), line("a", "b", 1)))
                .isEqualTo(reserve(line("c", "d", 2), line("a", "b", 2)));
    }

    @Test
    void everythingElseIs() {
        Order order = Order.of(LINE);
        assertThat(Stream.of(
                        reserve(LINE),
                        reserve(line("a", "b", 2)),
                        reserve(line("a", "b", 12)),
                        reserve(line("a", "b1", 2)),
                        reserve(line("ab", "1", 2)),
                        reserve(line("b", "a", 1)),
                        reserve(LINE, line("a", "c", 1)),
                        reserve(line("A", "b", 1)),
                        hash(new Reserve(order.heldFor(Duration.ofSeconds(1)), "r")),
                        hash(new Reserve(order.heldFor(Duration.ofSeconds(1, 1)), "r")),
                        hash(new Receive(List.of(LINE), "r")),
                        hash(new Adjust(LINE, "lost", "r")),
                        hash(new Adjust(LINE, "found", "r")),
                        hash(new Adjust(line("a", "b", -1), "lost", "r")),
                        hash(new Cancel("h", "r")),
                        hash(new Cancel("i", "r")),
                        hash(new Ship("h", "r")),
                        hash(new Expire("h"))))
                .doesNotHaveDuplicates();
    }
}
