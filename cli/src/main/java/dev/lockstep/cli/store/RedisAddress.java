package dev.lockstep.cli.store;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.redis.RedisDoctor;
import dev.lockstep.redis.RedisLockStore;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;

/** A Redis server, or some nodes of a Redis Cluster, and a namespace there. */
public final class RedisAddress implements StoreAddress {
    /** One address, with user and password as they are written in a configuration. */
    private record Node(RedisURI uri, String login) {}

    private final List<Node> nodes;
    private final boolean cluster;
    private final Optional<Integer> partitions;
    private final String namespace;

    private RedisAddress(List<Node> nodes, boolean cluster, Optional<Integer> partitions, String namespace) {
        this.nodes = nodes;
        this.cluster = cluster;
        this.partitions = partitions;
        this.namespace = namespace;
    }

    static RedisAddress parse(String url, Credentials credentials, Optional<String> namespace) {
        String space = namespace.orElse("default");
        if (!RedisClusterUrl.isOne(url)) {
            return new RedisAddress(List.of(node(url, credentials)), false, Optional.empty(), space);
        }
        RedisClusterUrl several = RedisClusterUrl.parse(url);
        List<Node> nodes =
                several.nodes().stream().map(each -> node(each, credentials)).toList();
        return new RedisAddress(nodes, true, several.partitions(), space);
    }

    private static Node node(String url, Credentials credentials) {
        if (credentials.user().isPresent() && credentials.password().isEmpty()) {
            throw new InvalidRequestException("--user " + credentials.user().get()
                    + " needs a password on Redis. Set the variable LOCKSTEP_PASSWORD, write --password, or put both into the URL:"
                    + " redis://user:password@host:6379.");
        }
        try {
            refuseRawCharacters(url);
            RedisURI uri = RedisURI.create(url);
            credentials
                    .password()
                    .ifPresent(password -> uri.setCredentialsProvider(
                            new StaticCredentialsProvider(credentials.user().orElse(null), password.toCharArray())));
            return new Node(uri, withPassword(url, credentials));
        } catch (IllegalArgumentException e) { // its message may hold the password
            throw new InvalidRequestException(Secrets.scheme(url)
                    + " is not the address of a Redis server. Write redis://host:6379, redis://user:password@host:6379/0,"
                    + " rediss://host:6380 or redis-cluster://host1:6379,host2:6379, with special characters of the password"
                    + " percent-encoded.");
        }
    }

    /** With them in a password the URL would be read as another host's. */
    private static void refuseRawCharacters(String url) {
        if (url.matches("(?s)[^/]*//[^@]*[/?#].*@.*")) {
            throw new IllegalArgumentException("/, ? or # before the @");
        }
    }

    private static String withPassword(String url, Credentials credentials) {
        if (credentials.password().isEmpty()) {
            return url;
        }
        String user = credentials.user().map(RedisAddress::encoded).orElse("");
        String secret = encoded(credentials.password().get());
        return url.replaceFirst("//([^@]*@)?", Matcher.quoteReplacement("//" + user + ":" + secret + "@"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Whether it is a cluster. */
    public boolean isCluster() {
        return cluster;
    }

    /** Into how many parts a cluster spreads the locks, if it was said. */
    public Optional<Integer> partitions() {
        return partitions;
    }

    /** The URLs of the nodes with user and password, as the server's configuration has them: never to be printed. */
    public List<String> logins() {
        return nodes.stream().map(Node::login).toList();
    }

    private List<RedisURI> uris() {
        return nodes.stream().map(Node::uri).toList();
    }

    private RedisLockStore in(String name) {
        RedisLockStore store = cluster ? RedisLockStore.cluster(uris()) : RedisLockStore.at(uris().get(0));
        return partitions.map(store::partitions).orElse(store).namespace(name);
    }

    @Override
    public LockStore open() {
        return in(namespace).answerWithin(InTime.PATIENCE);
    }

    @Override
    public Diagnosis examine() {
        RedisDoctor doctor = cluster ? RedisDoctor.cluster(uris()) : RedisDoctor.at(uris().get(0));
        return doctor.namespace(namespace).examine();
    }

    @Override
    public Optional<Set<String>> recordedKinds() {
        return record().kinds();
    }

    /** Whether locks were never used in the namespace, as far as Redis remembers. */
    public boolean isNewNamespace() {
        return record().kinds().isEmpty();
    }

    /** Records the namespace as new, so that it grants locks at once. */
    public void createNamespace() {
        try (RedisLockStore store = in(namespace).answerWithin(InTime.PATIENCE)) {
            store.createNamespace();
        }
    }

    /** The namespace of the locks. */
    public String namespace() {
        return namespace;
    }

    private NamespaceRecord record() {
        return new NamespaceRecord(uris(), cluster, namespace);
    }

    @Override
    public Optional<String> whyNothingToProvision() {
        return Optional.of(
                "Locks on Redis need no rows: there is nothing to provision. A namespace that the server doesn't"
                        + " know grants nothing for 30 seconds at first, because it may have been forgotten;"
                        + " 'lockstep serve --create-namespace', once, spares that.");
    }

    @Override
    public Scratch scratch(String id, LockKind... kinds) {
        return ScratchNamespace.create(name -> in(name).answerWithin(InTime.PATIENCE), toString(), id);
    }

    /** Such as {@code redis://host:6379/0}, or {@code redis-cluster://host1:6379,host2:6379}. */
    @Override
    public String toString() {
        List<String> urls =
                nodes.stream().map(each -> withoutSecrets(each.uri())).toList();
        return cluster ? RedisClusterUrl.of(urls, partitions) : urls.get(0);
    }

    private static String withoutSecrets(RedisURI uri) {
        return Secrets.hide(uri.toURI().toString()).replace("//…@", "//"); // it has an @ even without a user
    }
}
