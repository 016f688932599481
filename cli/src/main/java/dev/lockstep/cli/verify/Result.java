package dev.lockstep.cli.verify;

import java.time.Duration;

/** What became of one behaviour, and how long that took. */
public record Result(Behaviour behaviour, TrialOutcome outcome, Duration took) {}
