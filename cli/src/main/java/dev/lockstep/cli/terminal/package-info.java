/** What the command prints on, and how: colours, marks and bars where the terminal can show them. */
@NullMarked
package dev.lockstep.cli.terminal;

import org.jspecify.annotations.NullMarked;
