/** The rules of stock, and the tables that keep it. */
@NullMarked
package dev.lockstep.inventory.books;

import org.jspecify.annotations.NullMarked;
