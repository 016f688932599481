/** What an application writes to use Lockstep in Spring. */
@NullMarked
package dev.lockstep.spring;

import org.jspecify.annotations.NullMarked;
