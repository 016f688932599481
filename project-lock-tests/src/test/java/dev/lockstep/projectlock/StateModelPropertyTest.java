package dev.lockstep.projectlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.FencingToken;
import dev.lockstep.testkit.InMemoryOpfsFile;
import dev.lockstep.testkit.MockNavigatorLocks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.jspecify.annotations.Nullable;

/** Random calls, compared after each with a model that knows only what the source says. */
@Label("the states of a project lock")
class StateModelPropertyTest {
    private static final Duration TERM = StateModel.TERM;

    private SteppedClock clock = new SteppedClock();
    private InMemoryOpfsFile file = new InMemoryOpfsFile();
    private MockNavigatorLocks platform = new MockNavigatorLocks();
    private StateTrail trail = new StateTrail();
    private LogProbe quiet = new LogProbe();
    private ProjectLock lock = open();
    private StateModel model = new StateModel();
    private @Nullable ProjectLease lease;
    private int watches;

    @BeforeTry
    void begin() {
        quiet.close();
        clock = new SteppedClock();
        file = new InMemoryOpfsFile();
        platform = new MockNavigatorLocks();
        trail = new StateTrail();
        quiet = new LogProbe();
        lock = open();
        model = new StateModel();
        lease = null;
        watches = 0;
        clock.onWait(trail::note);
        trail.follow(lock);
    }

    private ProjectLock open() {
        return ProjectLock.at(Path.of("project"))
                .clock(clock)
                .term(TERM)
                .platformLocks(platform)
                .leaseFiles(trail.through(file))
                .open();
    }

    @AfterTry
    void end() {
        lock.close();
        clock.close();
        quiet.close();
    }

    @Property(edgeCases = EdgeCasesMode.NONE, tries = 300)
    @Label("follow the diagram, whatever is called and whatever fails")
    void followTheDiagram(@ForAll @Size(min = 1, max = 40) List<StateModel.Call> calls) {
        for (StateModel.Call call : calls) {
            StateModel.Answer expected = model.after(call);
            assertThat(outcomeOf(call)).as("%s after %s", call, trail.states()).isEqualTo(expected.failure());
            trail.note();
            assertThat(lock.state().getClass().getSimpleName())
                    .as("%s after %s", call, trail.states())
                    .isEqualTo(expected.state());
        }
        assertThat(trail.illegalStep()).as(trail.states().toString()).isEmpty();
    }

    private Optional<ProjectLockFailure> outcomeOf(StateModel.Call call) {
        try {
            make(call);
            return Optional.empty();
        } catch (ProjectLockException e) {
            return Optional.of(e.failure());
        }
    }

    private void make(StateModel.Call call) {
        AcquireOptions options = AcquireOptions.defaults().within(Duration.ZERO);
        switch (call) {
            case ACQUIRE -> acquire(options);
            case ACQUIRE_PATIENTLY -> acquire(options.within(StateModel.PATIENCE));
            case ACQUIRE_ABORTED -> acquireAborted(options);
            case RENEW -> lease = lock.renew(lease == null ? strange() : lease);
            case RENEW_STRANGE -> lock.renew(strange());
            case RELEASE -> lock.release(lease == null ? strange() : lease);
            case RELEASE_STRANGE -> lock.release(strange());
            case EXPIRE -> clock.advance(TERM);
            case PLATFORM_FAILS -> platform.thenUnavailable();
            case READ_FAILS -> file.failNextRead(new IOException("Input/output error"));
            case WRITE_FAILS -> file.failNextWrite(new IOException("No space left on device"));
            case DELETE_FAILS -> file.failNextDelete(new IOException("Input/output error"));
            case STOLEN ->
                file.holding(
                        UUID.randomUUID(), Instant.ofEpochMilli(clock.millis()).plus(TERM));
        }
    }

    private void acquire(AcquireOptions options) {
        lease = lock.acquire(options).lease();
        clock.awaitStanding(++watches);
    }

    private void acquireAborted(AcquireOptions options) {
        AbortSignal signal = new AbortSignal();
        trail.whenAsked(signal::abort);
        try {
            acquire(options.abortedBy(signal));
        } finally {
            trail.whenAsked(() -> {});
        }
    }

    private ProjectLease strange() {
        Instant end = Instant.ofEpochMilli(clock.millis()).plus(TERM);
        return new ProjectLease(UUID.randomUUID(), end, LeaseSource.OS_LOCK, new FencingToken(0, 1));
    }
}
