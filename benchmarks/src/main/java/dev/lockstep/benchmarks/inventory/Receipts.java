package dev.lockstep.benchmarks.inventory;

import dev.lockstep.benchmarks.inventory.Seller.Answer;
import java.util.Arrays;

/** What one client got and when, in nanoseconds of the measured time: negative before it. For one thread. */
final class Receipts {
    /** Sees all receipts. */
    @FunctionalInterface
    interface Reader {
        void read(long began, long ended, Answer answer);
    }

    private long[] began = new long[1_024];
    private long[] ended = new long[1_024];
    private Answer[] answers = new Answer[1_024];
    private int count;

    void add(long from, long to, Answer answer) {
        if (count == began.length) {
            began = Arrays.copyOf(began, 2 * count);
            ended = Arrays.copyOf(ended, 2 * count);
            answers = Arrays.copyOf(answers, 2 * count);
        }
        began[count] = from;
        ended[count] = to;
        answers[count++] = answer;
    }

    void forEach(Reader reader) {
        for (int i = 0; i < count; i++) {
            reader.read(began[i], ended[i], answers[i]);
        }
    }
}
