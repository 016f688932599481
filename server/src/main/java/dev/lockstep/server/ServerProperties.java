package dev.lockstep.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What is configured under {@code lockstep.server}, the most used first.
 *
 * @param token A token with all rights. Required unless there is a file of tokens, or the server listens on loopback only.
 * @param tokensFile A file with a token on each line, after its right (read, use or admin) and its name. It is read again when it changes.
 * @param node The name of this server, which its leases carry: lower-case letters, digits and '-'. By default a random one that no other
 *     server has.
 * @param peers The addresses of the other servers on the same store, by their names, such as http://10.0.0.2:7070.
 * @param peersSslBundle The SSL bundle whose certificates are trusted for peers with https. None: those that the JDK trusts.
 * @param hosts More names by which clients may call this server, besides its address and localhost.
 * @param data Where a memory store notes that it runs, so that an unclean stop is noticed. None: it isn't.
 * @param demo Whether simulated workers keep the page alive.
 * @param demoSeed With it the simulated workers decide the same each time, though not at the same moments.
 * @param lockDatabase The database of the locks, where it is not the one of the stock.
 * @param fallbackDatabase The database that stands in for the store, where it is not the one of the stock: the bean fallbackDataSource.
 * @param limits What clients may ask for at most.
 */
@ConfigurationProperties("lockstep.server")
public record ServerProperties(
        @Nullable String token,
        @Nullable Path tokensFile,
        @Nullable String node,
        @DefaultValue Map<String, String> peers,
        @Nullable String peersSslBundle,
        @DefaultValue List<String> hosts,
        @Nullable Path data,
        @DefaultValue("false") boolean demo,
        @Nullable Long demoSeed,
        @Nullable Database lockDatabase,
        @Nullable Database fallbackDatabase,
        @DefaultValue Limits limits) {
    /** Without the token. */
    @Override
    public String toString() {
        return "server " + (node == null ? "without a name" : node) + ", peers " + peers.keySet() + ", " + limits;
    }

    /**
     * A separate database for the locks, or for their fallback.
     *
     * @param url Its JDBC URL.
     * @param username Who asks there.
     * @param password Never printed.
     * @param connections How many there may be at a time: one for each lease, and one to inspect the server.
     */
    public record Database(
            String url,
            @Nullable String username,
            @Nullable String password,
            @DefaultValue("33") int connections) {
        /** Without the password, and without the URL, which may have one. */
        @Override
        public String toString() {
            return "a separate database";
        }
    }

    /**
     * What clients may ask for at most.
     *
     * @param longestWait How long a request may wait for its locks.
     * @param longestLease How long a lease may last, and how far a renewal may extend it. On Redis no longer than
     *     lockstep.redis.longest-term.
     * @param keys Keys of one request.
     * @param body Bytes of one request's body.
     * @param leases Leases held over HTTP at a time.
     * @param leaseBytes Bytes that the keys and owners of all leases and waiting requests take at a time.
     * @param waiters Requests that wait for locks at a time.
     * @param listeners Clients that listen to events at a time.
     * @param perClient The part of leases, bytes, waiters and listeners that one client may take, in percent. A client is an address and a token.
     * @param backlog Events that wait for one slow listener; what comes then it misses.
     * @param connections Connections at a time.
     * @param slowest How long the headers of a request, its body, or one piece of an answer may take.
     * @param idle How long a connection may stay open without a request.
     */
    public record Limits(
            @DefaultValue("60s") Duration longestWait,
            @DefaultValue("30s") Duration longestLease,
            @DefaultValue("100") int keys,
            @DefaultValue("65536") int body,
            @DefaultValue("100000") int leases,
            @DefaultValue("256MB") DataSize leaseBytes,
            @DefaultValue("10000") int waiters,
            @DefaultValue("100") int listeners,
            @DefaultValue("50") int perClient,
            @DefaultValue("1000") int backlog,
            @DefaultValue("20000") int connections,
            @DefaultValue("30s") Duration slowest,
            @DefaultValue("75s") Duration idle) {}
}
