package dev.lockstep.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests in a real browser: each gets {@link Tabs} of its own as a parameter. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("slow")
@Tag("once")
@ExtendWith(ChromiumExtension.class)
@interface UsesChromium {}
