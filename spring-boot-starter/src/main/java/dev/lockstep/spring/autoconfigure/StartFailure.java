package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.spring.LockstepStartException;
import java.util.stream.Collectors;

/** Says in terms of the configuration why a store can't be used. */
final class StartFailure {
    private static final String REGISTER = "lockstep_epochs";

    private StartFailure() {}

    static LockstepStartException of(LockException error, String setting, String store) {
        String message = PropertyWords.in(String.valueOf(error.getMessage()), setting);
        String what = "Locks on " + store + " can't be used. " + withoutProvisioning(message);
        return new LockstepStartException(
                what, isUnprovisioned(message) ? PropertyWords.PROVISION : wayOut(error), codeOf(error), error);
    }

    static LockstepStartException of(Diagnosis diagnosis, String store) {
        String found = diagnosis.errors().stream()
                .map(error -> "- " + error.what() + " " + error.whatToDo())
                .collect(Collectors.joining("\n"));
        return new LockstepStartException(
                "Locks on " + store + " can't be relied on:\n" + withoutProvisioning(found),
                isUnprovisioned(found) ? PropertyWords.PROVISION : "Do what is said above, and start again.",
                ErrorCode.STORE_FAILED,
                null);
    }

    private static ErrorCode codeOf(LockException error) {
        return isWithoutRegister(error) ? ErrorCode.STORE_FAILED : error.code();
    }

    private static boolean isWithoutRegister(LockException error) {
        return error.code() == ErrorCode.INVALID_REQUEST
                && String.valueOf(error.getMessage()).contains(REGISTER);
    }

    private static boolean isUnprovisioned(String message) {
        return message.contains(PropertyWords.PROVISION);
    }

    /** That remedy is the action to take, and said once. */
    private static String withoutProvisioning(String message) {
        return message.replace(" " + PropertyWords.PROVISION, "");
    }

    private static String wayOut(LockException error) {
        return switch (error.code()) {
            case KIND_MISMATCH ->
                "Declare the kind as the store knows it, under lockstep.kinds or in the enum of lockstep.kinds-from; or give it"
                        + " another name.";
            case STORE_UNAVAILABLE ->
                "Check that the server runs, and that host, port, user and password of the application's configuration lead to"
                        + " it.";
            case INVALID_REQUEST ->
                isWithoutRegister(error)
                        ? "Make the register of the pair once, as is said above, or in a migration with the SQL of"
                                + " EpochTable.script(…)."
                        : "Correct the settings under lockstep.";
            default -> "Look at what the server says, and correct the server or the settings.";
        };
    }
}
