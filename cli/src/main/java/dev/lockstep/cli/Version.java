package dev.lockstep.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} says. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Lockstep.class.getPackage().getImplementationVersion();
        return new String[] {
            "lockstep " + Objects.requireNonNullElse(version, "(not packaged)"),
            "Java " + System.getProperty("java.version")
        };
    }
}
