package dev.lockstep.cli.store;

import java.util.Optional;

/** User and password, as far as the URL doesn't have them. */
public record Credentials(Optional<String> user, Optional<String> password) {
    /** Never the password. */
    @Override
    public String toString() {
        return "user " + user.orElse("(not given)");
    }
}
