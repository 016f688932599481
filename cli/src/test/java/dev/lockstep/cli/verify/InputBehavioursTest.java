package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The trial of invalid requests notices a toolkit that lets them through. */
@Tag("once")
@Timeout(600)
class InputBehavioursTest {
    private static final Things THINGS = new Things("H13");

    private static TrialOutcome tried(Function<Locks, Lease> request) throws InterruptedException {
        Behaviour behaviour = new Behaviour(
                "H13",
                "invalid requests",
                "each is refused",
                stage -> InputBehaviours.tryInvalid(stage, THINGS, List.of(request)));
        return Trials.run(Trials.on(MemoryStore.create()), Trials.BRIEF, List.of(behaviour))
                .results()
                .get(0)
                .outcome();
    }

    @Test
    void anInvalidRequestThatIsGrantedIsCaught() throws InterruptedException {
        assertThat(tried(party -> party.acquire(exclusive(THINGS.user("u1")))))
                .isInstanceOfSatisfying(
                        TrialOutcome.Failed.class,
                        failed -> assertThat(failed.seen()).isEqualTo("[user:H13-u1] was granted"));
    }

    @Test
    void anInvalidRequestThatIsRefusedTooLateIsCaught() throws InterruptedException {
        assertThat(tried(party -> {
                    party.acquire(exclusive(THINGS.user("u1"))).close();
                    throw new InvalidRequestException("Refused after the store was called.");
                }))
                .isInstanceOfSatisfying(
                        TrialOutcome.Failed.class,
                        failed -> assertThat(failed.seen()).contains("the store was called"));
    }
}
