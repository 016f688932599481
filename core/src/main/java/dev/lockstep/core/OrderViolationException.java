package dev.lockstep.core;

import java.util.List;

/** A nested request would have taken a lock against the global order, which could deadlock. Nothing new is held. */
public final class OrderViolationException extends LockException {
    private static final long serialVersionUID = 1L;

    private final transient OrderViolation violation;

    /** Names what was asked for and what was held. */
    public OrderViolationException(OrderViolation violation) {
        super(
                ErrorCode.ORDER_VIOLATION,
                violation.toString(),
                List.of(violation.asked().key(), violation.held().key()),
                null);
        this.violation = violation;
    }

    /** What was asked for, what was held, and where. */
    public OrderViolation violation() {
        return violation;
    }
}
