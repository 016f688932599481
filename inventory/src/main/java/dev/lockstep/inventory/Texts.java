package dev.lockstep.inventory;

import dev.lockstep.inventory.Outcome.GaveUp;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Overloaded;
import dev.lockstep.inventory.Outcome.Rejected;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The texts that users see, in one language. */
final class Texts {
    private static final Map<String, Texts> ALL =
            Stream.of("en", "ja", "ko").collect(Collectors.toUnmodifiableMap(Function.identity(), Texts::load));

    private final Locale locale;
    private final Properties texts;

    private Texts(Locale locale, Properties texts) {
        this.locale = locale;
        this.texts = texts;
    }

    static Texts in(Locale locale) {
        return Objects.requireNonNull(ALL.getOrDefault(locale.getLanguage(), ALL.get("en")));
    }

    private static Texts load(String language) {
        Properties texts = new Properties();
        try (InputStream in =
                Objects.requireNonNull(Texts.class.getResourceAsStream("texts-" + language + ".properties"))) {
            texts.load(new InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Texts(Locale.forLanguageTag(language), texts);
    }

    String of(Outcome outcome) {
        if (outcome instanceof OutOfStock out) {
            return text(
                    "OutOfStock",
                    out.shortages().stream()
                            .mapToLong(Shortage::available)
                            .min()
                            .orElse(0));
        }
        if (outcome instanceof Overloaded overloaded) {
            return text("Busy", seconds(overloaded.retryAfter()));
        }
        if (outcome instanceof GaveUp gaveUp) {
            return text("Busy", seconds(gaveUp.retryAfter()));
        }
        if (outcome instanceof Rejected rejected) {
            return text("Rejected." + rejected.why().name());
        }
        return text(outcome.getClass().getSimpleName());
    }

    private static long seconds(Duration duration) {
        return Math.max(1, duration.plusMillis(999).toSeconds());
    }

    private String text(String name, Object... values) {
        return new MessageFormat(texts.getProperty(name), locale).format(values);
    }
}
