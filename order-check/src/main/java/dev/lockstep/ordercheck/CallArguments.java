package dev.lockstep.ordercheck;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * What a call hands in: the values of its parameters. What else a method has at the time of a call, its local variables, becomes unknown, and the same
 * unknown wherever it stands.
 */
final class CallArguments {
    private final boolean sameObject;
    private final Map<Object, Object> values = new HashMap<>();
    private final Map<Object, Object> unknown = new HashMap<>();

    CallArguments(boolean sameObject) {
        this.sameObject = sameObject;
    }

    void put(Element parameter, Object value) {
        values.put(parameter, value);
    }

    @Nullable
    Object get(Object parameter) {
        return values.get(parameter);
    }

    private boolean isMember(Object identity) {
        return identity instanceof Element element
                && element.getKind() == ElementKind.FIELD
                && (sameObject || element.getModifiers().contains(Modifier.STATIC));
    }

    private IdModel id(IdModel id) {
        if (!(id instanceof IdModel.Symbolic symbolic) || isMember(symbolic.identity())) {
            return id;
        }
        if (symbolic.above() == 0 && values.get(symbolic.identity()) instanceof IdModel value) {
            return value;
        }
        return new IdModel.Symbolic(
                unknown.computeIfAbsent(symbolic.identity(), each -> new Object()), symbolic.above());
    }

    KeyModel key(KeyModel key) {
        for (int i = key.levels().size() - 1; i >= 0; i--) {
            if (key.levels().get(i).id() instanceof IdModel.Symbolic symbolic
                    && values.get(symbolic.identity()) instanceof KeyModel value) {
                return replaced(key, i, symbolic.above(), value);
            }
        }
        return new KeyModel(ids(key.levels()));
    }

    /** The key with a parameter's value: the level at that place is {@code above} levels above the parameter's own key. */
    private KeyModel replaced(KeyModel key, int at, int above, KeyModel value) {
        if (!key.isKnown()) {
            return value;
        }
        List<KeyModel.Level> all = new ArrayList<>();
        if (value.isKnown() && value.levels().size() == at + 1 + above) {
            all.addAll(value.ancestor(at + 1).levels());
        } else if (value.isKnown()) {
            return KeyModel.unknown(new Object()); // refused when it runs: the value is of another kind
        } else {
            IdModel.Symbolic identity = (IdModel.Symbolic) value.last().id();
            for (KeyModel.Level each : key.levels().subList(0, at + 1)) {
                int up = each.id() instanceof IdModel.Symbolic symbolic ? symbolic.above() : 0;
                all.add(new KeyModel.Level(
                        each.kind(), new IdModel.Symbolic(identity.identity(), identity.above() + up)));
            }
        }
        all.addAll(ids(key.levels().subList(at + 1, key.levels().size())));
        return new KeyModel(List.copyOf(all));
    }

    private List<KeyModel.Level> ids(List<KeyModel.Level> levels) {
        return levels.stream()
                .map(level -> new KeyModel.Level(level.kind(), id(level.id())))
                .toList();
    }

    RequestModel request(RequestModel request) {
        List<RequestModel.Wanted> wanted = request.wanted().stream()
                .map(each -> new RequestModel.Wanted(key(each.key()), each.weakest(), each.strongest()))
                .toList();
        RequestModel replaced = new RequestModel(wanted, request.complete(), null, request.hasTerm());
        if (request.rest() == null || !(values.get(request.rest()) instanceof RequestModel rest)) {
            return replaced;
        }
        RequestModel withoutRest = new RequestModel(wanted, true, null, request.hasTerm());
        return withoutRest.and(rest);
    }

    LocksModel locks(LocksModel locks) {
        if (!(locks instanceof LocksModel.Path path)) {
            return locks;
        }
        Object first = path.elements().get(0);
        if (isMember(first)) {
            return locks;
        }
        if (values.get(first) instanceof LocksModel.Path value) {
            List<Object> elements = new ArrayList<>(value.elements());
            elements.addAll(path.elements().subList(1, path.elements().size()));
            return new LocksModel.Path(List.copyOf(elements));
        }
        return LocksModel.unknown();
    }

    /** A lock with the values; and its parents, where its kind was not known before. */
    private Stream<LockModel> locks(LockModel lock) {
        LockModel replaced = new LockModel(key(lock.key()), lock.weakest(), lock.strongest(), lock.sure());
        if (lock.key().isKnown() || !replaced.key().isKnown()) {
            return Stream.of(replaced);
        }
        Stream<LockModel> parents = IntStream.range(1, replaced.key().levels().size())
                .mapToObj(size -> new LockModel(
                        replaced.key().ancestor(size),
                        lock.weakest().intent(),
                        lock.strongest().intent(),
                        false));
        return Stream.concat(parents, Stream.of(replaced));
    }

    HeldModel held(HeldModel held) {
        return new HeldModel(
                held.identity(),
                request(held.request()),
                held.locks().stream().flatMap(this::locks).toList(),
                held.complete(),
                held.holder(),
                locks(held.on()),
                held.sure(),
                held.since(),
                held.site());
    }
}
