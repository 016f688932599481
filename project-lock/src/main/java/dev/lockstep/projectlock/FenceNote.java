package dev.lockstep.projectlock;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What the file {@code .lock.fence} says: the number of the last grant, and of that grant what the record has no room for.
 *
 * @param process the process that holds it, by its id and start
 * @param stamp another one in every note, so that a renewal is a change even where the wall clock was set back and the record
 *     says the same as before
 */
record FenceNote(
        long fence, UUID leaseId, LeaseSource source, Duration term, long process, long processStart, String stamp) {
    /** Far above the clock's microseconds, and far below what can't be read again. */
    private static final long HIGHEST = 100_000_000_000_000_000L;

    /** Two processes may work out a third one's start a little differently; an id is not given again that soon. */
    private static final long SAME_START = 10_000;

    private static final long LONGEST_TERM = ProjectLockBuilder.LONGEST.toMillis();

    /** The note in a text; empty when it is none. */
    static Optional<FenceNote> parse(String text) {
        return FlatJson.parse(text).flatMap(FenceNote::of);
    }

    private static Optional<FenceNote> of(Map<String, Object> fields) {
        Optional<UUID> id = LeaseRecord.idIn(fields.get("leaseId"));
        Optional<LeaseSource> source = LeaseSource.of(String.valueOf(fields.get("source")));
        long fence = number(fields, "fence");
        long term = number(fields, "termMs");
        boolean isOdd = fence < 1 || fence > HIGHEST || term < 1 || term > LONGEST_TERM;
        return id.isEmpty() || source.isEmpty() || isOdd
                ? Optional.empty()
                : Optional.of(new FenceNote(
                        fence,
                        id.get(),
                        source.get(),
                        Duration.ofMillis(term),
                        number(fields, "process"),
                        number(fields, "processStart"),
                        String.valueOf(fields.get("stamp"))));
    }

    private static long number(Map<String, Object> fields, String name) {
        return fields.get(name) instanceof Long number ? number : 0;
    }

    /** The note of a grant to this process. */
    static FenceNote here(long fence, UUID leaseId, LeaseSource source, Duration term) {
        ProcessHandle self = ProcessHandle.current();
        String stamp = UUID.randomUUID().toString();
        return new FenceNote(fence, leaseId, source, term, self.pid(), start(self), stamp);
    }

    boolean isOf(LeaseRecord record) {
        return leaseId.equals(record.leaseId());
    }

    /**
     * Whether the holder's process is seen running on this machine. Then it has not lost its OS lock by dying, but because
     * something else in that process read the lock's file, which is all it takes.
     */
    boolean isSeenRunning() {
        long tolerance = process == ProcessHandle.current().pid() ? 1 : SAME_START;
        return ProcessHandle.of(process)
                .filter(handle -> processStart != 0 && Math.abs(start(handle) - processStart) < tolerance)
                .isPresent();
    }

    private static long start(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    String text() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("fence", fence);
        fields.put("leaseId", leaseId.toString());
        fields.put("source", source.text());
        fields.put("termMs", term.toMillis());
        fields.put("process", process);
        fields.put("processStart", processStart);
        fields.put("stamp", stamp);
        return FlatJson.format(fields);
    }
}
