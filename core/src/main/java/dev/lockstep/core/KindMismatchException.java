package dev.lockstep.core;

import java.util.List;

/** A kind is declared in two ways, so two parties would order their locks differently. */
public final class KindMismatchException extends LockException {
    private static final long serialVersionUID = 1L;

    private final transient KindDefinition known;
    private final transient KindDefinition declared;

    /** Names both definitions. */
    public KindMismatchException(KindDefinition known, KindDefinition declared) {
        super(
                ErrorCode.KIND_MISMATCH,
                "Kind '" + declared.prefix() + "' is declared here as " + declared + ", but the store knows it as "
                        + known + ". Declare it the same way in every process, or choose another prefix.",
                List.of(),
                null);
        this.known = known;
        this.declared = declared;
    }

    /** What the store knows. */
    public KindDefinition known() {
        return known;
    }

    /** What was declared now. */
    public KindDefinition declared() {
        return declared;
    }
}
