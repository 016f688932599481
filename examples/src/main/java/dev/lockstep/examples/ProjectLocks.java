package dev.lockstep.examples;

import dev.lockstep.projectlock.ProjectLock;
import dev.lockstep.projectlock.ProjectLockException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One writer at a time in a project's directory, whatever the number of windows and processes. */
public final class ProjectLocks {
    private ProjectLocks() {}

    public static void main(String[] args) throws IOException {
        Path project = Files.createTempDirectory("project");
        save(project, "first draft");
        try (ProjectLock window = ProjectLock.open(project);
                ProjectLock other = ProjectLock.open(project)) {
            window.acquire();
            tryToSave(other);
        }
        System.out.println(Files.readString(project.resolve("text")));
    }

    private static void save(Path project, String text) throws IOException {
        // tag::project-lock
        try (ProjectLock lock = ProjectLock.open(project)) {
            lock.withLock(lease -> Files.writeString(project.resolve("text"), text)); // renewed for as long as it takes
        }
        // end::project-lock
    }

    private static void tryToSave(ProjectLock other) {
        // tag::project-lock-busy
        try {
            other.acquire(); // waits for 5 seconds at most
        } catch (ProjectLockException e) {
            System.out.println(e.failure().text() + ", worth another try: " + e.retryable());
        }
        // end::project-lock-busy
    }
}
