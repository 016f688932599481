package dev.lockstep.etcd;

/**
 * The time between two losses of memory of a namespace, in which tokens have the same floor. A grant of another generation is lost.
 *
 * @param revision of the record of the state; every grant requires that it is still this one
 */
record TokenGeneration(String id, long floor, long revision) {
    long token(long grantedAt) {
        return floor + grantedAt;
    }
}
