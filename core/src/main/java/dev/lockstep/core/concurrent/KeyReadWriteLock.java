package dev.lockstep.core.concurrent;

import java.util.concurrent.locks.ReadWriteLock;

/** The shared and the exclusive view of one key. */
record KeyReadWriteLock(LockView readLock, LockView writeLock) implements ReadWriteLock {}
