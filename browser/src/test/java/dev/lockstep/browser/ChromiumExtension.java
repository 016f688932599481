package dev.lockstep.browser;

import dev.lockstep.testservers.Chromium;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives each test tabs of its own in a Chromium that all tests of the JVM share. */
final class ChromiumExtension implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(ChromiumExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Tabs.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Chromium chromium = context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(Chromium.class, type -> Chromium.launch(), Chromium.class);
        return context.getStore(NAMESPACE).computeIfAbsent(Tabs.class, type -> open(chromium), Tabs.class);
    }

    private static Tabs open(Chromium chromium) {
        try {
            return new Tabs(chromium.browser().newContext());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
