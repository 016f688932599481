/** What {@code lockstep locks} shows: tables, JSON, a screen that is drawn anew. */
@NullMarked
package dev.lockstep.cli.locks;

import org.jspecify.annotations.NullMarked;
