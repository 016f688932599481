package dev.lockstep.spring.leadership;

import dev.lockstep.core.leadership.Term;

/**
 * The application event that this application leads from now on. It is published after the grant, on the thread for callbacks of the leadership.
 *
 * @param name the name of the leadership in the configuration
 */
public record LeadershipGranted(String name, Term term) {}
