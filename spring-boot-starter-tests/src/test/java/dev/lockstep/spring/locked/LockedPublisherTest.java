package dev.lockstep.spring.locked;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.spring.Locked;
import dev.lockstep.testkit.Tenancy;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Locked methods that return publishers: held from the subscription to the end. */
@Tag("once")
class LockedPublisherTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    @BeforeEach
    void start() {
        context.register(MemoryLocks.class, Service.class);
        context.refresh();
    }

    @AfterEach
    void end() {
        context.close();
    }

    static class Service {
        private final AtomicInteger calls = new AtomicInteger();
        private final Sinks.Many<String> values = Sinks.many().multicast().directBestEffort();

        int calls() {
            return calls.get();
        }

        Sinks.Many<String> values() {
            return values;
        }

        @Locked(value = "user:#{#user}", within = "1s")
        public Mono<String> one(String user, Mono<String> value) {
            calls.incrementAndGet();
            return value;
        }

        @Locked("user:#{#user}")
        public Flux<String> many(String user) {
            return values.asFlux();
        }
    }

    private Service service() {
        return context.getBean(Service.class);
    }

    private boolean isFree() {
        if (context.getBean(Locks.class).tryAcquire(exclusive(Tenancy.user("u1"))) instanceof Granted granted) {
            granted.close();
            return true;
        }
        return false;
    }

    @Test
    void eachSubscriptionOfAMonoHoldsTheLockUntilItsEnd() {
        Mono<String> value = service().one("u1", Mono.fromCallable(() -> isFree() ? "free" : "held"));
        assertThat(service().calls()).isZero();
        assertThat(value.block(PATIENCE)).isEqualTo("held");
        assertThat(value.block(PATIENCE)).isEqualTo("held");
        assertThat(service().calls()).isEqualTo(2);
        assertThat(isFree()).isTrue();
    }

    @Test
    void anErrorEndsTheHold() {
        Mono<String> failing = service().one("u1", Mono.error(new IllegalArgumentException("no")));
        assertThatThrownBy(() -> failing.block(PATIENCE)).isInstanceOf(IllegalArgumentException.class);
        assertThat(isFree()).isTrue();
    }

    @Test
    void aFluxHoldsTheLockUntilItCompletesOrIsCancelled() {
        Disposable cancelled = service().many("u1").subscribe();
        await().until(() -> service().values().currentSubscriberCount() == 1);
        assertThat(isFree()).isFalse();
        cancelled.dispose();
        await().until(this::isFree);

        Mono<List<String>> all = service().many("u1").collectList();
        Sinks.One<List<String>> result = Sinks.one();
        Disposable unused = all.subscribe(list -> result.tryEmitValue(list).orThrow());
        await().until(() -> service().values().currentSubscriberCount() == 1);
        service().values().tryEmitNext("a").orThrow();
        service().values().tryEmitComplete().orThrow();
        assertThat(result.asMono().block(PATIENCE)).containsExactly("a");
        assertThat(isFree()).isTrue();
    }

    @Test
    void aSubscriptionThatIsCancelledBeforeTheMethodIsCalledReleasesTheLock() {
        CountDownLatch mayContinue = new CountDownLatch(1);
        try {
            for (int i = 0; i < Schedulers.DEFAULT_POOL_SIZE; i++) {
                Disposable unused =
                        Schedulers.parallel().createWorker().schedule(() -> awaitUninterruptibly(mayContinue));
            }
            Disposable cancelled = service().many("u1").subscribe();
            await().until(() -> !isFree());
            cancelled.dispose();
        } finally {
            mayContinue.countDown();
        }
        await().until(this::isFree);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException ignored) {
                // the scheduler is shared, and not to be blocked for longer than the test
            }
        }
    }

    @Test
    void aLeaseThatIsGrantedAfterACancellationIsReleased() {
        CompletableFuture<Lease> late = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                return false; // as when it is being granted
            }
        };
        Locks real = context.getBean(Locks.class);
        Lease granted = real.acquireAsync(exclusive(Tenancy.user("u1"))).join();
        try (AnnotationConfigApplicationContext granting = new AnnotationConfigApplicationContext()) {
            granting.registerBean("late", Locks.class, () -> grantedLate(real, late), bean -> bean.setPrimary(true));
            granting.register(MemoryLocks.class, Service.class);
            granting.refresh();
            Disposable cancelled = granting.getBean(Service.class).many("u1").subscribe();
            cancelled.dispose();
            late.complete(granted);
            await().until(this::isFree);
        }
    }

    private static Locks grantedLate(Locks real, CompletableFuture<Lease> late) {
        return (Locks) Proxy.newProxyInstance(
                Locks.class.getClassLoader(),
                new Class<?>[] {Locks.class},
                (proxy, method, arguments) ->
                        method.getName().equals("acquireAsync") ? late : method.invoke(real, arguments));
    }

    @Test
    void aLostLeaseFailsThePublisher() {
        Mono<String> never = service().one("u1", Mono.never());
        Sinks.One<Throwable> failure = Sinks.one();
        Disposable unused = never.subscribe(
                value -> {}, error -> failure.tryEmitValue(error).orThrow());
        await().until(() -> service().calls() == 1 && !isFree());
        context.getBean(Locks.class).close();
        assertThat(failure.asMono().block(PATIENCE)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aBusyLockIsAnError() throws Exception {
        Lease other = context.getBean(Locks.class)
                .acquireAsync(exclusive(Tenancy.user("u1")))
                .get();
        Mono<String> value = service().one("u1", Mono.just("never"));
        assertThatThrownBy(() -> value.block(PATIENCE)).isInstanceOf(LockTimeoutException.class);
        assertThat(service().calls()).isZero();
        other.close();
    }
}
