package dev.lockstep.examples;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Prints the demo: a heading for each scene, and below it lines with the time since the scene began, who, and what. */
final class DemoScreen {
    private final PrintStream out;
    private final ReentrantLock printing = new ReentrantLock();
    private int scenes;
    private long start; // zero before a scene's first line

    DemoScreen(PrintStream out) {
        this.out = out;
    }

    void scene(String title, String why) {
        scenes++;
        start = 0;
        out.println();
        out.println(scenes + ". " + title);
        out.println("   " + why);
    }

    /** Something that happened now, and more about it in lines of their own. May be called from any thread. */
    void line(String who, String what, String... more) {
        printing.lock();
        try {
            out.println(String.format(Locale.ROOT, "%8d ms  %-14s %s", millis(), who, what));
            for (String line : more) {
                out.println(" ".repeat(28) + line);
            }
        } finally {
            printing.unlock();
        }
    }

    private long millis() {
        long now = System.nanoTime();
        if (start == 0) {
            start = now;
        }
        return TimeUnit.NANOSECONDS.toMillis(now - start);
    }

    void text(String text) {
        out.println(text);
    }
}
