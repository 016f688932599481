/** What people and machines see of an application's locks: health, holders and waiters, meters and traces. */
@NullMarked
package dev.lockstep.spring.actuate;

import org.jspecify.annotations.NullMarked;
