package dev.lockstep.jdbc.sql;

/**
 * A session on the server.
 *
 * @param id its number, which is unique only on its server and only while the server runs
 * @param name the name of the server, or of its current run
 * @param version the version of the server's software; empty where nothing depends on it
 * @param mark the mark that was set in it; see {@link SessionMarks}
 */
public record ServerSession(long id, String name, String version, String mark) {
    /** That of a connection of the caller's, which is not known. */
    public static final ServerSession OF_CALLER = new ServerSession(0, "", "", "");
}
