package dev.lockstep.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class TerminalTest {
    private static final Map<Object, Object> WIDE = Map.of("lockstep.columns", "120", "native.encoding", "UTF-8");

    private static Map<Object, Object> with(String name, String value) {
        Map<Object, Object> all = new HashMap<>(WIDE);
        all.put(name, value);
        return all;
    }

    @Test
    void showsEverythingOnATerminal() {
        Terminal terminal = Terminal.of(WIDE, Map.of());
        assertThat(terminal.interactive()).isTrue();
        assertThat(terminal.columns()).isEqualTo(120);
        assertThat(terminal.red("no")).isEqualTo("\u001b[31mno\u001b[39m");
        assertThat(terminal.faint("@|bold x|@"))
                .as("what is a style to picocli")
                .contains("@|bold x|@");
        assertThat(terminal.mark(Mark.GOOD)).contains("✓");
    }

    @Test
    void errorsAreColouredOnlyIfTheyGoToATerminalToo() {
        Terminal both = Terminal.of(with("lockstep.stderr.terminal", "true"), Map.of());
        assertThat(both.errInteractive()).isTrue();
        assertThat(both.forErrors().red("no")).contains("\u001b");
        assertThat(Terminal.of(WIDE, Map.of()).errInteractive()).isFalse();
        assertThat(Terminal.of(WIDE, Map.of()).forErrors().red("no")).isEqualTo("no");
    }

    @Test
    void findsTheTerminalItselfWithoutTheLauncher() {
        Map<Object, Object> image = Map.of("native.encoding", "UTF-8");
        Terminal alone = Terminal.of(Terminal.described(image, descriptor -> OptionalInt.of(90)), Map.of());
        assertThat(alone.columns()).isEqualTo(90);
        assertThat(alone.interactive()).isTrue();
        assertThat(alone.errInteractive()).isTrue();
        assertThat(Terminal.described(image, descriptor -> OptionalInt.empty())).isEqualTo(image);
        Map<Object, Object> launched = Map.of("lockstep.command", "lockstep");
        assertThat(Terminal.described(launched, descriptor -> OptionalInt.of(90)))
                .as("the launcher found a pipe")
                .isEqualTo(launched);
    }

    @Test
    void isPlainInAPipe() {
        Terminal terminal = Terminal.of(Map.of("native.encoding", "UTF-8"), Map.of());
        assertThat(terminal.interactive()).isFalse();
        assertThat(terminal.red("no")).isEqualTo("no");
    }

    @Test
    void hasNoColoursWhereTheyAreSwitchedOff() {
        assertThat(Terminal.of(WIDE, Map.of("NO_COLOR", "1")).red("no")).isEqualTo("no");
        assertThat(Terminal.of(WIDE, Map.of("NO_COLOR", "")).colours()).isTrue();
        assertThat(Terminal.of(WIDE, Map.of("NO_COLOR", "1")).interactive()).isTrue();
    }

    @Test
    void writesNothingOverOnADumbTerminal() {
        Terminal terminal = Terminal.of(WIDE, Map.of("TERM", "dumb"));
        assertThat(terminal.interactive()).isFalse();
        assertThat(terminal.colours()).isFalse();
        assertThat(terminal.columns()).isEqualTo(120);
    }

    @Test
    void marksAreAsciiWithoutUnicode() {
        Terminal terminal = Terminal.of(with("native.encoding", "ANSI_X3.4-1968"), Map.of("NO_COLOR", "1"));
        assertThat(terminal.unicode()).isFalse();
        assertThat(terminal.mark(Mark.GOOD)).isEqualTo("ok");
    }

    @Test
    void aNarrowOneIsTakenForWiderThanTheHelpNeeds() {
        assertThat(Terminal.of(with("lockstep.columns", "3"), Map.of()).columns())
                .isEqualTo(55);
    }
}
