package dev.lockstep.core.memory;

import dev.lockstep.core.spi.SharedNumbers;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Numbers in this process. */
final class MemoryNumbers implements SharedNumbers {
    private final ConcurrentMap<String, Long> numbers = new ConcurrentHashMap<>();

    @Override
    public long declare(String name, long number) {
        Long known = numbers.putIfAbsent(name, number);
        return known == null ? number : known;
    }

    @Override
    public boolean replace(String name, long expected, long next) {
        return numbers.replace(name, expected, next) || Long.valueOf(next).equals(numbers.get(name));
    }
}
