/** The checks of the doctor, and the rules by which it evaluates what they return. Not part of the API. */
@NullMarked
package dev.lockstep.jdbc.doctor;

import org.jspecify.annotations.NullMarked;
