package dev.lockstep.projectlock;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lease files for file systems without locks: a transaction makes the next {@link Generation}, or, when another came first,
 * is run again. The generation is what counts; the files in the project show it to others.
 */
final class LinkedFiles implements LeaseFiles {
    private static final Logger LOG = LoggerFactory.getLogger(LinkedFiles.class);

    private final Path project;
    private final Path guard;
    private final SafeFile safe;
    private final Generations generations;

    LinkedFiles(Path project, SafeFile safe, Steps steps) {
        this.project = project;
        this.guard = project.resolve(GuardedDirectory.GUARD);
        this.safe = safe;
        this.generations = new Generations(guard, safe, steps);
    }

    @Override
    public <T> T transact(GuardWait wait, Transaction<T> transaction) throws IOException, GuardBusyException {
        while (true) {
            Generation newest = newest();
            Draft draft = new Draft(newest);
            T result = transaction.run(draft);
            if (!draft.changed) {
                return result;
            }
            if (generations.make(newest.next(draft.texts))) {
                publish();
                return result;
            }
            wait.pause(guard.toString());
        }
    }

    /** The first one begins with what the project's files say. */
    private Generation newest() throws IOException {
        Optional<Generation> newest = generations.newest();
        if (newest.isPresent()) {
            return newest.get();
        }
        Map<String, String> texts = new LinkedHashMap<>();
        for (String name : new String[] {RECORD, FENCE}) {
            safe.read(project.resolve(name)).ifPresent(text -> texts.put(name, text));
        }
        return new Generation(0, texts);
    }

    /** Shows the newest generation, again if one came meanwhile: a slow process must not put an old one over a new one. */
    private void publish() {
        try {
            Optional<Generation> shown;
            Optional<Generation> newest = generations.newest();
            do {
                shown = newest;
                show(shown.orElseThrow());
                newest = generations.newest();
            } while (!newest.equals(shown));
            safe.sync(project);
            generations.sweep();
        } catch (IOException e) {
            LOG.warn("The lease counts, but {} may show an earlier one", project.resolve(RECORD), e);
        }
    }

    private void show(Generation generation) throws IOException {
        for (String name : new String[] {FENCE, RECORD}) {
            Optional<String> text = generation.text(name);
            if (text.isPresent()) {
                safe.replace(project.resolve(name), guard.resolve(UUID.randomUUID() + ".tmp"), text.get());
            } else {
                safe.delete(project.resolve(name));
            }
        }
    }

    /** The files as they will be. */
    private static final class Draft implements Page {
        private final Map<String, String> texts;
        private boolean changed;

        Draft(Generation before) {
            this.texts = new LinkedHashMap<>(before.texts());
        }

        @Override
        public Optional<String> read(String name) {
            return Optional.ofNullable(texts.get(name));
        }

        @Override
        public void write(String name, String text) {
            changed = true;
            texts.put(name, text);
        }

        @Override
        public void delete(String name) {
            changed = true;
            texts.remove(name);
        }
    }
}
