package dev.lockstep.spring.locked;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.spring.Locked;
import dev.lockstep.testkit.FaultyStore;
import dev.lockstep.testkit.Tenancy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** Locked methods that return futures. */
@Tag("once")
class LockedFutureTest {
    private static final LockKey U1 = Tenancy.user("u1");

    private final AnnotationConfigApplicationContext context =
            new AnnotationConfigApplicationContext(MemoryLocks.class, Service.class);
    private final Service service = context.getBean(Service.class);
    private final Locks locks = context.getBean(Locks.class);
    private final CompletableFuture<@Nullable String> work = new CompletableFuture<>();

    @AfterEach
    void end() {
        context.close();
    }

    static class Service {
        @Locked("user:#{#u}")
        public CompletableFuture<@Nullable String> call(String u, Supplier<CompletableFuture<@Nullable String>> work) {
            return work.get();
        }

        @Locked("user:#{#u}")
        public @Nullable CompletionStage<String> stage(String u, @Nullable CompletionStage<String> work) {
            return work;
        }

        @Locked("user:#{#u}")
        public @Nullable CompletionStage<String> nothing(String u, Runnable work) {
            work.run();
            return null;
        }

        @Locked("user:#{#u}")
        public void blocking(String u, Runnable work) {
            work.run();
        }

        @Locked("user:#{#u}/account:#{#a}")
        public void inside(String u, String a, Runnable work) {
            work.run();
        }
    }

    private boolean isFree() {
        return Elsewhere.isFree(locks, exclusive(U1));
    }

    @Test
    void theLocksAreHeldUntilTheFutureHasCompletedAndFreeForItsReader() {
        CompletableFuture<@Nullable String> answer = service.call("u1", () -> work);
        assertThat(answer).isNotDone();
        assertThat(isFree()).isFalse();
        CompletableFuture<Boolean> freeWhenSeen = answer.thenApply(value -> isFree());
        work.complete("done");
        assertThat(answer).isCompletedWithValue("done");
        assertThat(freeWhenSeen).isCompletedWithValue(true);
    }

    @Test
    void theCallingThreadIsNotTheHolderAfterwards() {
        try (AnnotationConfigApplicationContext brief = contextWith("lock.wait", "PT0.2S")) {
            Service called = brief.getBean(Service.class);
            CompletableFuture<@Nullable String> first = called.call("u1", () -> work);
            assertThatThrownBy(() -> called.call("u1", CompletableFuture::new))
                    .isInstanceOf(LockTimeoutException.class);
            assertThatThrownBy(() -> called.blocking("u1", () -> {})).isInstanceOf(LockTimeoutException.class);
            assertThatThrownBy(() -> brief.getBean(Locks.class).acquire(exclusive(U1)))
                    .isInstanceOf(LockTimeoutException.class);
            work.complete(null);
            assertThat(first).isCompletedWithValue(null);
            called.blocking("u1", () -> {});
        }
    }

    private static AnnotationConfigApplicationContext contextWith(String property, String value) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", Map.of(property, value)));
        context.register(MemoryLocks.class, Service.class);
        context.refresh();
        return context;
    }

    @Test
    void theMethodItselfRunsAsTheHolder() {
        CompletableFuture<@Nullable String> answer = service.call("u1", () -> {
            service.inside("u1", "a1", () -> {}); // covered
            return work;
        });
        work.complete("");
        assertThat(answer).isCompletedWithValue("");
    }

    @Test
    void aFailureOfTheFutureGivesTheLocksBack() {
        CompletableFuture<@Nullable String> answer = service.call("u1", () -> work);
        IllegalStateException failure = new IllegalStateException("no");
        work.completeExceptionally(failure);
        assertThatThrownBy(answer::join).isInstanceOf(CompletionException.class).hasCause(failure);
        assertThat(isFree()).isTrue();
    }

    @Test
    void whatTheMethodThrowsIsThrownAndGivesTheLocksBackAtOnce() {
        IllegalStateException failure = new IllegalStateException("no");
        assertThatThrownBy(() -> service.call("u1", () -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(isFree()).isTrue();
    }

    @Test
    void cancellingTheAnswerCancelsTheMethodsFuture() {
        CompletableFuture<@Nullable String> answer = service.call("u1", () -> work);
        assertThat(answer.cancel(true)).isTrue();
        assertThat(work).isCancelled();
        assertThat(answer).isCancelled();
        assertThat(isFree()).isTrue();
    }

    @Test
    void completingTheAnswerAloneKeepsTheLocksForTheWork() {
        CompletableFuture<@Nullable String> answer = service.call("u1", () -> work);
        answer.complete("early");
        assertThat(isFree()).isFalse();
        work.complete("late");
        assertThat(isFree()).isTrue();
        assertThat(answer).isCompletedWithValue("early");
    }

    @Test
    void workThatCannotBeCancelledKeepsItsLocksUntilItsEnd() {
        CompletionStage<String> answer =
                service.stage("u1", work.minimalCompletionStage().thenApply(String::valueOf));
        assertThat(answer).isNotNull();
        answer.toCompletableFuture().cancel(true);
        assertThat(isFree()).isFalse();
        work.complete("");
        assertThat(isFree()).isTrue();
    }

    @Test
    void noFutureAtAllGivesTheLocksBack() {
        assertThat(service.stage("u1", null)).isNull();
        assertThat(isFree()).isTrue();
    }

    @Test
    void aLossIsThrownWhereThereIsNoFutureToFail() {
        assertThatThrownBy(() -> service.nothing(
                        "u1", () -> context.getBean(FaultyStore.class).forgetAll()))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aLeaseThatIsGrantedAtTheMomentOfAnInterruptIsReleased() throws Exception {
        Lease lease = mock(Lease.class);
        CompletableFuture<Lease> grantedTooLate = new CompletableFuture<>() {
            @Override
            public Lease get() throws InterruptedException {
                complete(lease);
                throw new InterruptedException();
            }
        };
        Locks answering = mock(Locks.class);
        when(answering.acquireAsync(any())).thenReturn(grantedTooLate);
        LockedMethod method = new LockedMethod(
                Object.class.getMethod("toString"),
                "here",
                new LockedMethod.Keys(List.of(), List.of()),
                new LockedMethod.Options(null, null, null, (target, arguments, timeout) -> null, "me"),
                true);
        LockedFutures futures = new LockedFutures(answering, new RunningLeases());
        assertThatThrownBy(() -> futures.call(method, exclusive(U1), mock(MethodInvocation.class)))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
        assertThat(Thread.interrupted()).isTrue();
        verify(lease).release();
    }

    @Test
    void aLossBeforeTheEndFailsTheFutureAndCancelsTheWork() {
        try (AnnotationConfigApplicationContext brief = contextWith("lease.term", "PT0.3S")) {
            CompletableFuture<@Nullable String> answer =
                    brief.getBean(Service.class).call("u1", () -> work);
            brief.getBean(FaultyStore.class).forgetAll();
            await().untilAsserted(() -> assertThat(answer).isCompletedExceptionally());
            assertThatThrownBy(answer::join).hasCauseInstanceOf(LeaseLostException.class);
            await().untilAsserted(() -> assertThat(work).isCancelled());
        }
    }

    @Test
    void aLossSeenOnlyAtTheEndFailsTheFutureToo() {
        CompletableFuture<@Nullable String> answer = service.call("u1", () -> work);
        context.getBean(FaultyStore.class).forgetAll();
        work.complete("done");
        assertThatThrownBy(answer::join).hasCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void anInterruptEndsTheWaitAndLeavesNothingBehind() {
        CompletableFuture<@Nullable String> first = service.call("u1", () -> work);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> service.call("u1", CompletableFuture::new))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
        assertThat(Thread.interrupted()).isTrue();
        work.complete("");
        assertThat(first).isCompleted();
        await().untilAsserted(() -> assertThat(locks.snapshot().waiters()).isEmpty());
        await().until(this::isFree);
    }

    @Test
    void aCallThatCouldWaitForItsOwnCallerIsRefused() {
        service.blocking(
                "u1",
                () -> assertThatThrownBy(() -> service.call("u1", () -> work))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContainingAll(
                                "it returns a future, so its locks [user:u1] are not nested in those of its caller",
                                " Service.blocking', which holds 'user:u1'"));
        service.inside(
                "u1",
                "a1",
                () -> assertThatThrownBy(() -> service.call("u2", () -> work))
                        .isInstanceOf(InvalidRequestException.class));
        assertThat(isFree()).isTrue();
    }
}
