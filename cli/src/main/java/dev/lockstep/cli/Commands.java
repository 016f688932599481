package dev.lockstep.cli;

import dev.lockstep.cli.terminal.Terminal;
import java.lang.reflect.Constructor;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Makes the commands: those that print get the terminal. */
final class Commands implements IFactory {
    private final Terminal terminal;

    Commands(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        boolean prints = Stream.of(type.getDeclaredConstructors())
                .map(Constructor::getParameterTypes)
                .anyMatch(taken -> taken.length == 1 && taken[0] == Terminal.class);
        return prints
                ? type.getDeclaredConstructor(Terminal.class).newInstance(terminal)
                : CommandLine.defaultFactory().create(type);
    }
}
