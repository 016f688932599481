/** What {@code lockstep inventory} prints: tables, JSON, outcomes. */
@NullMarked
package dev.lockstep.cli.inventory;

import org.jspecify.annotations.NullMarked;
