/** What the doctor looks at on a Redis server, and the rules by which it judges. */
@NullMarked
package dev.lockstep.redis.doctor;

import org.jspecify.annotations.NullMarked;
