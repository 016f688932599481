package dev.lockstep.chaos;

import dev.lockstep.core.FencingToken;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** A register in this process, for all its threads; with a guard that looks, or one that doesn't. */
final class MemoryRegister implements Register {
    private static final FencingToken NONE = new FencingToken(0, 0);

    private final boolean looks;
    private final Map<String, FencingToken> fenced = new HashMap<>();
    private final Map<String, FencingToken> unfenced = new HashMap<>();
    private long number;

    MemoryRegister(boolean looks) {
        this.looks = looks;
    }

    @Override
    public synchronized OptionalLong write(String thing, FencingToken token) {
        if (looks && token.compareTo(fenced.getOrDefault(thing, NONE)) < 0) {
            return OptionalLong.empty();
        }
        fenced.put(thing, token);
        return OptionalLong.of(++number);
    }

    @Override
    public synchronized FencingToken writeUnfenced(String thing, FencingToken token) {
        FencingToken before = unfenced.put(thing, token);
        return before == null ? NONE : before;
    }

    @Override
    public void close() {}
}
