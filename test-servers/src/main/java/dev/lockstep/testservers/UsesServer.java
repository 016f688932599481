package dev.lockstep.testservers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test class that needs a server, which is running before its first test.
 *
 * <p>A parameter of type {@link TestServer} gets the shared server, {@link TestDatabase} a fresh database and
 * {@link PrivateServer} its own server. The last two are closed after the test, or after the class when they are
 * parameters of a {@code @BeforeAll} method. The class is tagged {@code slow}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("slow")
@ExtendWith(ServerExtension.class)
public @interface UsesServer {
    /** What the tests need. */
    ServerKind value();
}
