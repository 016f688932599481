package dev.lockstep.projectlock;

import java.util.Optional;

/**
 * What a transaction finds in the lease files.
 *
 * @param text the record's text; empty when there is no record
 * @param record the record, unless there is none or no one can read it
 * @param note what the fence file says, of this record's lease or an earlier one
 */
record LeaseFileState(Optional<String> text, Optional<LeaseRecord> record, Optional<FenceNote> note) {
    static LeaseFileState in(Optional<String> record, Optional<String> fence) {
        return new LeaseFileState(record, record.flatMap(LeaseRecord::parse), fence.flatMap(FenceNote::parse));
    }

    boolean isUnreadable() {
        return text.isPresent() && record.isEmpty();
    }

    /** What the fence file says of the lease that the record is of. */
    Optional<FenceNote> noteOfRecord() {
        return note.filter(known -> record.filter(known::isOf).isPresent());
    }

    boolean isOf(ProjectLease lease) {
        return record.filter(found -> found.leaseId().equals(lease.leaseId())).isPresent();
    }

    /** Whether the last grant rested on the record alone: who has the platform's lock has it from before. */
    boolean wasGrantedByFile() {
        return note.filter(last -> last.source() == LeaseSource.LEASE_FILE).isPresent();
    }

    /** Whether there is no record, and no one was granted the project since this lease. */
    boolean isMissingSince(ProjectLease lease) {
        return text.isEmpty()
                && note.filter(known -> known.fence() == lease.token().value()).isPresent();
    }

    String name() {
        String unnamed =
                text.isEmpty() ? "a process that has the platform's lock, though no record" : "an unreadable record";
        return record.map(found -> "lease " + found.leaseId()).orElse(unnamed);
    }
}
