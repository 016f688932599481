package dev.lockstep.testservers;

import java.io.IOException;

/** A server could not start because another process has its port. */
final class PortTakenException extends IOException {
    private static final long serialVersionUID = 1;

    PortTakenException(String message) {
        super(message);
    }
}
