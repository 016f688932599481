/** Locks on etcd, a consensus store. */
@NullMarked
package dev.lockstep.etcd;

import org.jspecify.annotations.NullMarked;
