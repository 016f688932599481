/** Requests to the server over HTTP. */
@NullMarked
package dev.lockstep.benchmarks.server;

import org.jspecify.annotations.NullMarked;
