@NullMarked
package dev.lockstep.outside;

import org.jspecify.annotations.NullMarked;
