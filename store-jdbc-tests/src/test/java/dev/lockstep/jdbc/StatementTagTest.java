package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.LockRequest;
import dev.lockstep.jdbc.slots.AdvisorySlots;
import dev.lockstep.jdbc.sql.StatementTag;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatementTagTest {
    private enum Kinds implements LockKind {
        FOLDER(false),
        FILE(true);

        private final boolean leaf;

        Kinds(boolean leaf) {
            this.leaf = leaf;
        }

        @Override
        public String prefix() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }

        @Override
        public int rank() {
            return ordinal();
        }

        @Override
        public boolean leaf() {
            return leaf;
        }
    }

    /** On the server, a shared lock of what may have children is exclusive. */
    @Test
    void otherProcessesKnowWhichSharedLocksAreShared() {
        for (Kinds kind : Kinds.values()) {
            LockRequest request = LockRequest.shared(kind.key("x:y/z"));
            TransactionRequest sent = new TransactionRequest(request, Deadline.in(Duration.ZERO, LockClock.system()));
            String comment = StatementTag.comment("n", List.of(StatementTag.part(sent, Instant.EPOCH, -1)));
            StatementTag.Seen seen =
                    StatementTag.read(comment + "SELECT 1", "n").get(0);
            assertThat(seen.locks()).singleElement().satisfies(lock -> {
                assertThat(lock.key().id()).isEqualTo("x:y/z");
                assertThat(new AdvisorySlots("n").of(lock).exclusive()).isEqualTo(!kind.leaf());
            });
        }
    }
}
