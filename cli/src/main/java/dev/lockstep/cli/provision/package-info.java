/** What {@code lockstep provision} reads and shows: kinds, files of keys, progress. */
@NullMarked
package dev.lockstep.cli.provision;

import org.jspecify.annotations.NullMarked;
