package dev.lockstep.server.locks.keys;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.spi.KindRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Keys of any kinds, for servers that declare none: the first key of a kind says where it stands. */
public final class OpenKeys extends KeyReader {
    /** The kind whose keys are the names of servers, reserved for them. */
    public static final String SERVERS = "lockstep-server";

    private static final int MOST = 256;
    private static final String DECLARE = " Use another name, or declare your kinds under lockstep.kinds.";

    private final KindRegistry registry = new KindRegistry();
    private final Map<String, LockKind> byPrefix = new ConcurrentHashMap<>();
    private final Map<List<String>, Kinds> byPath = new ConcurrentHashMap<>();

    @Override
    public boolean declared() {
        return false;
    }

    @Override
    public List<KindDefinition> definitions() {
        return registry.definitions();
    }

    @Override
    public LockKey parse(String text) {
        List<String> path = path(text);
        Kinds known = byPath.get(path);
        return known != null ? known.parse(text) : add(path, text);
    }

    @Override
    public LockKey parseOnly(String text) {
        List<String> path = path(text);
        Kinds known = byPath.get(path);
        return (known != null ? known : Kinds.of(chain(path))).parse(text);
    }

    private static List<String> path(String text) {
        List<String> prefixes = new ArrayList<>();
        for (String part : text.split("/", -1)) {
            int colon = part.indexOf(':');
            if (colon < 1) {
                throw new InvalidRequestException("The key '" + Shown.of(text) + "' has the part '" + Shown.of(part)
                        + "' without a kind. Write 'kind:id', and '/' in an id as %2F.");
            }
            prefixes.add(unreserved(part.substring(0, colon)));
        }
        return prefixes;
    }

    private static String unreserved(String prefix) {
        if (prefix.equals(SERVERS)) {
            throw new InvalidRequestException(
                    "The kind '" + prefix + "' is reserved for the names of servers. Use another name.");
        }
        return prefix;
    }

    /** The whole key is read before its kinds become known, so that a wrong one leaves nothing behind. */
    private synchronized LockKey add(List<String> path, String text) {
        LockKind kind = chain(path);
        Kinds kinds = Kinds.of(kind);
        LockKey key = kinds.parse(text);
        long added = path.stream().filter(each -> !byPrefix.containsKey(each)).count();
        if (byPrefix.size() + added > MOST) {
            throw new InvalidRequestException("The kind '" + kind.prefix() + "' would be one of more than " + MOST
                    + ". Put what differs into the ids, or declare your kinds under lockstep.kinds.");
        }
        registry.declare(kinds.definitions());
        int length = path.size();
        for (@Nullable LockKind each = kind; each != null; each = each.parent().orElse(null)) {
            byPrefix.put(each.prefix(), each);
            byPath.put(List.copyOf(path.subList(0, length--)), kinds);
        }
        return key;
    }

    private LockKind chain(List<String> path) {
        if (path.size() > OpenKind.DEEPEST + 1) {
            throw new InvalidRequestException("The key has " + path.size() + " levels, and " + (OpenKind.DEEPEST + 1)
                    + " are allowed. Use fewer levels.");
        }
        Optional<LockKind> above = Optional.empty();
        for (int depth = 0; depth < path.size(); depth++) {
            String prefix = path.get(depth);
            if (path.indexOf(prefix) < depth) {
                throw new InvalidRequestException(
                        "Kind '" + Shown.of(prefix) + "' stands below itself in the key." + DECLARE);
            }
            above = Optional.of(below(above, prefix, depth));
        }
        return above.orElseThrow();
    }

    private LockKind below(Optional<LockKind> parent, String prefix, int depth) {
        OpenKind wanted = OpenKind.of(prefix, depth, parent);
        KindDefinition definition = KindDefinition.of(wanted);
        for (KindDefinition known : registry.definitions()) {
            if (known.prefix().equals(prefix) && !known.equals(definition)) {
                throw new InvalidRequestException("Kind '" + prefix + "' is known here as " + known
                        + ", and a kind stands in one place only." + DECLARE);
            }
            if (!known.prefix().equals(prefix) && known.rank() == definition.rank()) {
                throw new InvalidRequestException("Kinds '" + known.prefix() + "' and '" + prefix
                        + "' of one level begin with the same five characters, so they can't be told apart in the global order."
                        + DECLARE);
            }
        }
        return byPrefix.getOrDefault(prefix, wanted);
    }
}
