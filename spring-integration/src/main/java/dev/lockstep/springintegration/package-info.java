/** Lockstep as a lock registry of Spring Integration. */
@NullMarked
package dev.lockstep.springintegration;

import org.jspecify.annotations.NullMarked;
