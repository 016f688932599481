/** What {@code lockstep exec} runs: a command under a lock, with the signals that it gets. */
@NullMarked
package dev.lockstep.cli.exec;

import org.jspecify.annotations.NullMarked;
