@NullMarked
package dev.lockstep.spring.locked;

import org.jspecify.annotations.NullMarked;
