package dev.lockstep.testservers;

import java.sql.SQLException;
import java.util.Set;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Starts the server that {@link UsesServer} names, and fills in parameters. */
final class ServerExtension implements BeforeAllCallback, ParameterResolver {
    private static final Set<Class<?>> TYPES = Set.of(TestServer.class, TestDatabase.class, PrivateServer.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        TestServers.shared(kind(context));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return TYPES.contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        ServerKind kind = kind(context);
        if (type == TestServer.class) {
            return TestServers.shared(kind);
        }
        return closedAtEnd(type == PrivateServer.class ? TestServers.start(kind) : fresh(kind), context);
    }

    private static TestDatabase fresh(ServerKind kind) {
        try {
            return TestServers.shared(kind).freshDatabase();
        } catch (SQLException e) {
            throw new ParameterResolutionException("no fresh database on " + kind, e);
        }
    }

    private static AutoCloseable closedAtEnd(AutoCloseable resource, ExtensionContext context) {
        context.getStore(ExtensionContext.Namespace.create(ServerExtension.class))
                .put(resource, resource);
        return resource;
    }

    private static ServerKind kind(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(
                        context.getRequiredTestClass(), UsesServer.class, context.getEnclosingTestClasses())
                .orElseThrow(() -> new IllegalStateException("@UsesServer is missing on the class"))
                .value();
    }
}
