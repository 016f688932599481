package dev.lockstep.server.locks;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

/** What only the owner of a lease knows: without it no client renews or releases the lease over HTTP. */
final class LeaseSecret {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 16;

    private final byte[] bytes;

    private LeaseSecret(byte[] bytes) {
        this.bytes = bytes;
    }

    static LeaseSecret random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new LeaseSecret(bytes);
    }

    /** Reads 22 characters of Base64 for URLs. */
    static LeaseSecret read(String text) {
        return new LeaseSecret(Base64.getUrlDecoder().decode(text));
    }

    String text() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Takes as long for a secret that is nearly right as for any other. */
    boolean matches(LeaseSecret other) {
        return MessageDigest.isEqual(bytes, other.bytes);
    }

    /** Without the secret, which no log may have. */
    @Override
    public String toString() {
        return "a secret";
    }
}
