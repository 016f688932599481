package dev.lockstep.inventory;

import dev.lockstep.inventory.AnswersCheck.Answer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends each command two to five times, on many threads: some wait for the answer, and some have it brought. */
final class Sends {
    private static final int THREADS = 16;
    private static final int NEIGHBOURS = 40;

    private final List<Command> sends = new ArrayList<>();
    private final Random random;

    Sends(List<Command> commands, Random random) {
        this.random = random;
        for (Command command : commands) {
            sends.addAll(Collections.nCopies(2 + random.nextInt(4), command));
        }
        for (int i = 0; i < sends.size(); i += NEIGHBOURS) {
            Collections.shuffle(sends.subList(i, Math.min(sends.size(), i + NEIGHBOURS)), random);
        }
    }

    /** Sends all of them, and answers when all are answered. */
    List<Answer> through(Inventory inventory) {
        ConcurrentLinkedQueue<Answer> answers = new ConcurrentLinkedQueue<>();
        AtomicInteger next = new AtomicInteger();
        boolean[] submits = new boolean[sends.size()];
        for (int i = 0; i < submits.length; i++) {
            submits[i] = random.nextInt(3) == 0;
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<CompletableFuture<?>> workers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                workers.add(CompletableFuture.runAsync(
                        () -> {
                            for (int at = next.getAndIncrement(); at < submits.length; at = next.getAndIncrement()) {
                                answers.add(send(inventory, sends.get(at), submits[at]));
                            }
                        },
                        threads));
            }
            workers.forEach(CompletableFuture::join);
        } finally {
            threads.shutdown();
        }
        return List.copyOf(answers);
    }

    private static Answer send(Inventory inventory, Command command, boolean submits) {
        return new Answer(command, submits ? inventory.submit(command).join() : inventory.execute(command));
    }
}
