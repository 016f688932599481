/** Named numbers that all processes share, as a table. Not part of the API. */
@NullMarked
package dev.lockstep.jdbc.numbers;

import org.jspecify.annotations.NullMarked;
