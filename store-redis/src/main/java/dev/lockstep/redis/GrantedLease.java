package dev.lockstep.redis;

/**
 * A request of this process that a release let in, as its reply says.
 *
 * @param predecessor the lease that has to be released first, or empty if the lock is free for it
 */
record GrantedLease(String lease, long token, String predecessor) {
    static final int WORDS = 3;
}
