/** What a web application responds when a lock is unavailable. */
@NullMarked
package dev.lockstep.spring.web;

import org.jspecify.annotations.NullMarked;
