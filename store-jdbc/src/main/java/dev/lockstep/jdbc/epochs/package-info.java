/** The register of a pair of stores, as a table. Not part of the API. */
@NullMarked
package dev.lockstep.jdbc.epochs;

import org.jspecify.annotations.NullMarked;
