package dev.lockstep.core;

import java.util.List;

/** The request is wrong in itself; the message says what to write instead. Nothing was locked. */
public final class InvalidRequestException extends LockException {
    private static final long serialVersionUID = 1L;

    /** Says what is wrong and what to write instead. */
    public InvalidRequestException(String message) {
        super(ErrorCode.INVALID_REQUEST, message, List.of(), null);
    }
}
