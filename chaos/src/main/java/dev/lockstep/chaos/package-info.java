/**
 * Several processes lock while servers, lines, processes and clocks fail: a worker writes down what it sees, a conductor what it
 * breaks, and a checker reads all of it.
 */
@NullMarked
package dev.lockstep.chaos;

import org.jspecify.annotations.NullMarked;
