package dev.lockstep.spring.leadership;

import dev.lockstep.core.leadership.Stop;

/**
 * The application event that this application leads no more. Where it resigned, another one leads after the listeners have returned.
 *
 * @param name the name of the leadership in the configuration
 */
public record LeadershipEnded(String name, Stop stop) {}
