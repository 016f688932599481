package dev.lockstep.cli.store;

/**
 * What a pool of connections needs.
 *
 * @param url the URL as the driver gets it, which may hold a password
 */
public record DatabaseLogin(String url, Credentials credentials) {
    /** Never the password. */
    @Override
    public String toString() {
        return Secrets.hide(url) + ", " + credentials;
    }
}
