/** A test kit for locks: one contract for every store, and doubles for what a test can't wait for. */
@NullMarked
package dev.lockstep.testkit;

import org.jspecify.annotations.NullMarked;
