package dev.lockstep.cli.exec;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jline.nativ.CLibrary;
import org.jline.nativ.JLineNativeLoader;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/**
 * The signals that end a command, passed on to the one that runs. Before it runs, they interrupt the thread that opened this. A signal that was ignored
 * when this process started, as under nohup, stays so.
 */
public final class PassedSignals implements AutoCloseable {
    private static final Map<String, Integer> NUMBERS = Map.of("TERM", 15, "INT", 2, "HUP", 1);
    private static final int BY_SIGNAL = 128;
    private static final int INPUT = 0;

    private final Map<String, Object> previous = new LinkedHashMap<>();
    private final Thread waiting = Thread.currentThread();
    private final boolean terminal;
    private @Nullable GuardedProcess process;
    private @Nullable String first;

    private PassedSignals(boolean terminal) {
        this.terminal = terminal;
    }

    /** Handles the signals from now on. Ctrl-C on a terminal reaches the command anyway, and is not passed on. */
    public static PassedSignals open() {
        PassedSignals signals = new PassedSignals(isTerminal());
        NUMBERS.keySet().forEach(signals::handle);
        return signals;
    }

    private void handle(String signal) {
        Object before = Signals.register(signal, () -> received(signal));
        if (before != null && before.equals(ignored())) {
            Signals.unregister(signal, before);
        } else if (before != null) {
            previous.put(signal, before);
        }
    }

    @SuppressWarnings("SystemConsoleNull") // spares a pipe the library; where there is always a console, isatty decides
    private static boolean isTerminal() {
        try {
            return System.console() != null && JLineNativeLoader.initialize() && CLibrary.isatty(INPUT) != 0;
        } catch (Exception | LinkageError e) { // no library for this system
            return false;
        }
    }

    /** The handler that ignores, in an API that is not in the standard. */
    private static @Nullable Object ignored() {
        try {
            return Class.forName("sun.misc.SignalHandler").getField("SIG_IGN").get(null);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    synchronized void received(String signal) {
        first = first == null ? signal : first;
        if (process == null) {
            waiting.interrupt();
        } else if (!terminal || !signal.equals("INT")) {
            process.pass(signal);
        }
    }

    /** Passes them on to this command from now on; one that has come before, at once. */
    public synchronized void to(GuardedProcess started) {
        process = started;
        if (first != null) {
            started.pass(first);
        }
    }

    /** The exit code for the first signal that was received. */
    public synchronized Optional<Integer> exitCode() {
        return Optional.ofNullable(first).map(NUMBERS::get).map(number -> BY_SIGNAL + number);
    }

    @Override
    public void close() {
        previous.forEach(Signals::unregister);
    }
}
