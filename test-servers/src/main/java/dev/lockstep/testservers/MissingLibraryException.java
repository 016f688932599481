package dev.lockstep.testservers;

import java.io.IOException;

/** A server needs a shared library that this machine does not have. The message names the library and its package. */
final class MissingLibraryException extends IOException {
    private static final long serialVersionUID = 1;

    MissingLibraryException(String message) {
        super(message);
    }
}
