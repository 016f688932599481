package dev.lockstep.cli.store;

import dev.lockstep.core.ErrorCode;
import java.sql.SQLException;

/** Why a server doesn't let us in, and what to do about it. */
enum Refusal {
    /** The user, the password or the database. */
    NOT_FOR_THIS_USER(ErrorCode.STORE_FAILED, "Look at the name of the database, the user and the password."),
    /** MySQL 8 takes passwords only over TLS, or encrypted with its own key. */
    PASSWORD_UNPROTECTED(
            ErrorCode.STORE_FAILED,
            "MySQL takes this password over TLS only: add sslMode=trust to the URL (it encrypts and doesn't check the certificate),"
                    + " or, if the server has no TLS and the network is trusted, allowPublicKeyRetrieval=true."),
    /** Everybody else has the connections. */
    FULL(
            ErrorCode.STORE_UNAVAILABLE,
            "The server is there and has no connection left. End some, or raise max_connections."),
    /** There is no response. */
    NOBODY_THERE(ErrorCode.STORE_UNAVAILABLE, "Look at host and port, and whether the server runs.");

    private static final int TOO_MANY_CONNECTIONS = 1040; // MySQL and MariaDB
    private static final int TOO_MANY_OF_THE_USER = 1203;

    private final ErrorCode code;
    private final String advice;

    Refusal(ErrorCode code, String advice) {
        this.code = code;
        this.advice = advice;
    }

    ErrorCode code() {
        return code;
    }

    String advice() {
        return advice;
    }

    static Refusal of(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        if (String.valueOf(e.getMessage()).contains("RSA public key is not available")
                || String.valueOf(e.getMessage()).contains("Public Key Retrieval is not allowed")) {
            return PASSWORD_UNPROTECTED;
        }
        if (state.equals("53300")
                || e.getErrorCode() == TOO_MANY_CONNECTIONS
                || e.getErrorCode() == TOO_MANY_OF_THE_USER) {
            return FULL;
        }
        boolean isRefused = state.startsWith("28") || state.startsWith("3D") || state.startsWith("42");
        return isRefused ? NOT_FOR_THIS_USER : NOBODY_THERE;
    }
}
