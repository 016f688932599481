/** Leaderships of an application: events, health and an endpoint. */
@NullMarked
package dev.lockstep.spring.leadership;

import org.jspecify.annotations.NullMarked;
