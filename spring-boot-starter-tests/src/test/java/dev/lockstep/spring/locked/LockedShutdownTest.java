package dev.lockstep.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.spring.Locked;
import dev.lockstep.testkit.Tenancy;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Locked methods while the application ends. */
@Tag("once")
class LockedShutdownTest {
    static class Service implements DisposableBean {
        final AtomicReference<Locks> locks = new AtomicReference<>();
        final AtomicReference<String> end = new AtomicReference<>("not destroyed");

        @Locked("user:#{#u}")
        public void work(String u, Runnable work) {
            work.run();
        }

        @Locked("user:u2")
        public AtomicReference<Locks> locks() {
            return locks;
        }

        @Locked("user:u2")
        public AtomicReference<String> end() {
            return end;
        }

        @Override
        public void destroy() {
            try (var lease = locks.get().acquire(LockRequest.exclusive(Tenancy.user("u1")))) {
                end.set(lease.isHeld() ? "under locks" : "without");
            } catch (LockException e) {
                end.set(String.valueOf(e.getMessage()));
            }
        }
    }

    /** The bean is made first, so without a known dependency it would be destroyed last. */
    private static AnnotationConfigApplicationContext started() {
        return new AnnotationConfigApplicationContext(Service.class, MemoryLocks.class);
    }

    @Test
    void locksAreClosedAfterTheBeansWithLockedMethods() {
        AtomicReference<String> end;
        try (AnnotationConfigApplicationContext context = started()) {
            Service service = context.getBean(Service.class);
            service.locks().set(context.getBean(Locks.class));
            end = service.end();
        }
        assertThat(end).hasValue("under locks");
    }

    @Test
    void aMethodWhoseLocksWereClosedUnderItDoesNotReturnNormally() {
        try (AnnotationConfigApplicationContext context = started()) {
            Service service = context.getBean(Service.class);
            Locks locks = context.getBean(Locks.class);
            service.locks().set(locks);
            assertThatThrownBy(() -> service.work("u1", locks::close)).isInstanceOf(LeaseLostException.class);
        }
    }
}
