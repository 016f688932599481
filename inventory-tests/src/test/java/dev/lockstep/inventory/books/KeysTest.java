package dev.lockstep.inventory.books;

import static dev.lockstep.inventory.StockLine.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeysTest {
    @Test
    void linesAreMergedAndSortedByTheBytesOfSkuAndLocation() {
        assertThat(Keys.merged(List.of(
                        line("b", "x", 1),
                        line("a", "y", 2),
                        line("\ud83d\udc5f", "x", 1),
                        line("\uffee", "x", 1),
                        line("a", "x", 3),
                        line("B", "x", 1),
                        line("a", "y", 5))))
                .containsExactly(
                        line("B", "x", 1),
                        line("a", "x", 3),
                        line("a", "y", 7),
                        line("b", "x", 1),
                        line("\uffee", "x", 1),
                        line("\ud83d\udc5f", "x", 1));
    }

    @Test
    void aSumThatOverflowsIsAnError() {
        List<StockLine> lines = List.of(line("a", "x", Long.MAX_VALUE), line("a", "x", 1));
        assertThatThrownBy(() -> Keys.merged(lines)).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void worksNeedEachStockOnce() {
        PendingCommand one = PendingCommands.reserve("1", line("b", "x", 1), line("a", "x", 1));
        PendingCommand other = PendingCommands.reserve("2", line("c", "x", 1), line("b", "x", 1));

        assertThat(Keys.of(List.of(one, other)))
                .containsExactly(new StockKey("a", "x"), new StockKey("b", "x"), new StockKey("c", "x"));
        assertThat(Keys.of(List.of(PendingCommands.reserve("3", line("z", "x", 1)))))
                .containsExactly(new StockKey("z", "x"));
    }

    @Test
    void keysThatWouldRunTogetherStayApart() {
        assertThat(Keys.sorted(List.of(new StockKey("a", "bc"), new StockKey("ab", "c"), new StockKey("a/b", "c"))))
                .hasSize(3);
    }
}
