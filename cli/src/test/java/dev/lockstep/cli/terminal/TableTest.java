package dev.lockstep.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TableTest {
    private static Terminal terminal(int columns, boolean unicode) {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        return new Terminal(nowhere, nowhere, true, false, unicode, columns);
    }

    private static Table table() {
        Table table = new Table("KEY~", "MODE", "OWNER~");
        table.add("user:u1/account:a1/resource:r1", "X", "me");
        table.add("user:u1", "IX", "somebody");
        return table;
    }

    @Test
    void columnsAreAsWideAsTheirTexts() {
        assertThat(table().lines(terminal(80, true)))
                .containsExactly(
                        "KEY                             MODE  OWNER",
                        "user:u1/account:a1/resource:r1  X     me",
                        "user:u1                         IX    somebody");
    }

    @Test
    void theWidestShrinksInItsMiddle() {
        assertThat(table().lines(terminal(36, true)))
                .contains("user:u1/a…esource:r1  X     me", "KEY                   MODE  OWNER");
        assertThat(table().lines(terminal(36, false))).contains("user:u1/a..source:r1  X     me");
    }

    @Test
    void theLastColumnsAreLeftOutBeforeLinesBreak() {
        assertThat(table().lines(terminal(17, true))).contains("user:…ce:r1  X");
        assertThat(table().lines(terminal(14, true)))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(14));
    }

    @Test
    void nothingShrinksToNothing() {
        assertThat(table().lines(terminal(5, true))).contains("use…e:r1  X");
    }

    @Test
    void wideLettersTakeTwoColumns() {
        Table names = new Table("OWNER", "MODE");
        names.add("田中", "X");
        names.add("김철수", "S");
        names.add("me", "X");
        assertThat(names.lines(terminal(40, true))).contains("田中    X", "김철수  S", "me      X");
    }

    @Test
    void lettersOfTwoCharsAreOne() {
        Table table = new Table("KEY~");
        table.add("user:😀😀😀😀😀😀😀😀");
        assertThat(table.lines(terminal(10, true))).contains("user…😀😀");
    }
}
