package dev.lockstep.cli.provision;

import dev.lockstep.cli.terminal.Terminal;
import me.tongfei.progressbar.ProgressBarConsumer;

/** The line of a terminal that is written over and over. */
final class TerminalLine implements ProgressBarConsumer {
    private final Terminal terminal;
    private int shown;
    private boolean closed;

    TerminalLine(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public int getMaxRenderedLength() {
        return terminal.columns() - 1; // a full line would wrap
    }

    @Override
    public synchronized void accept(String text) {
        if (closed) {
            return;
        }
        String plain = text.replace("\r", "").stripTrailing();
        String fitting = plain.substring(0, Math.min(plain.length(), getMaxRenderedLength()));
        terminal.err().print("\r" + fitting + " ".repeat(Math.max(0, shown - fitting.length())));
        terminal.err().flush();
        shown = fitting.length();
    }

    @Override
    public synchronized void close() {
        if (!closed && shown > 0) {
            terminal.err().println();
        }
        closed = true;
    }
}
