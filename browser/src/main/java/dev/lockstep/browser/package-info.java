/** Serves the project lock for web pages, and the page that shows it at work. */
@NullMarked
package dev.lockstep.browser;

import org.jspecify.annotations.NullMarked;
