/** The live page in a real browser, against a whole server. */
@NullMarked
package dev.lockstep.server.page;

import org.jspecify.annotations.NullMarked;
