package dev.lockstep.examples;

import dev.lockstep.projectlock.ProjectLease;
import dev.lockstep.projectlock.ProjectLock;
import dev.lockstep.projectlock.ProjectLockEvent;
import dev.lockstep.projectlock.ProjectLockException;
import dev.lockstep.projectlock.ProjectLockListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** An editor that saves by itself for as long as it is open, and turns read-only when its project is lost. */
public final class Autosave {
    // tag::project-autosave
    /** Saves a document by itself, for as long as it is open. */
    static final class Saver implements AutoCloseable {
        private final ProjectLock lock;
        private final Path file;
        private final Supplier<String> text;
        private volatile ProjectLease lease;
        private volatile boolean readOnly;

        Saver(Path project, Supplier<String> text, ProjectLockListener indicator) {
            this.lock = ProjectLock.open(project);
            this.file = project.resolve("text");
            this.text = text;
            lock.subscribe(indicator); // beside the title: acquired, renewed, expired
            this.lease = lock.acquire().lease(); // another holder has it open: acquire-timeout
        }

        /** Renews first: a lease that was lost while the machine slept is noticed before anything is written. */
        void save() throws IOException {
            try {
                lease = lock.renew(lease);
                Files.writeString(file, text.get());
            } catch (ProjectLockException e) {
                readOnly = !e.retryable(); // a full disk may be less full next time
            }
        }

        boolean isReadOnly() {
            return readOnly || !lock.isHeld(lease);
        }

        @Override
        public void close() {
            lock.close(); // releases the project
        }
    }
    // end::project-autosave

    private Autosave() {}

    public static void main(String[] args) throws IOException {
        Path project = Files.createTempDirectory("project");
        Queue<ProjectLockEvent> shown = new ConcurrentLinkedQueue<>();
        try (Saver saver = new Saver(project, () -> "once upon a time", shown::add)) {
            saver.save(); // in an editor, a timer does this every few seconds
            System.out.println(Files.readString(project.resolve("text")));
            System.out.println("read-only: " + saver.isReadOnly());
        }
    }
}
