/** Locks as {@link java.util.concurrent.locks.Lock} and {@link java.util.concurrent.locks.ReadWriteLock}, for code that expects those. */
@NullMarked
package dev.lockstep.core.concurrent;

import org.jspecify.annotations.NullMarked;
