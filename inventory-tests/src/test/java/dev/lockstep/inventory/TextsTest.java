package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Outcome.GaveUp;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Overloaded;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.Reserved;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextsTest {
    private static final StockKey KEY = new StockKey("SHIRT-001", "TOKYO");

    private static Properties file(String language) {
        Properties texts = new Properties();
        try (InputStream in = Texts.class.getResourceAsStream("texts-" + language + ".properties")) {
            texts.load(new InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return texts;
    }

    /** The names of all outcomes, as the sealed types have them. */
    private static Stream<Class<?>> outcomes(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(TextsTest::outcomes)
                : Stream.of(type);
    }

    private static Set<String> expectedKeys() {
        Set<String> busy = Set.of("Overloaded", "GaveUp");
        Set<String> keys = outcomes(Outcome.class)
                .map(Class::getSimpleName)
                .map(name -> busy.contains(name) ? "Busy" : name)
                .filter(name -> !name.equals("Rejected"))
                .collect(Collectors.toCollection(TreeSet::new));
        Arrays.stream(Rejection.values()).forEach(why -> keys.add("Rejected." + why));
        return keys;
    }

    @ParameterizedTest
    @ValueSource(strings = {"ja", "ko", "en"})
    void everyOutcomeHasATextAndNoTextIsLeftOver(String language) {
        Properties texts = file(language);
        assertThat(new TreeSet<>(texts.stringPropertyNames())).isEqualTo(expectedKeys());
        assertThat(texts.values()).allMatch(text -> !((String) text).isBlank());
    }

    @Test
    void noTwoLanguagesHaveTheSameText() {
        for (String key : expectedKeys()) {
            assertThat(Stream.of("ja", "ko", "en")
                            .map(language -> file(language).getProperty(key)))
                    .doesNotHaveDuplicates();
        }
    }

    private static String soldOut(Locale locale, long available) {
        return new OutOfStock("r1", List.of(new Shortage(KEY, 5_000, available))).message(locale);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            en |    0 | Sorry, this item is sold out.
            en |    1 | Sorry, there is only 1 left.
            en |    2 | Sorry, there are only 2 left.
            en | 1000 | Sorry, there are only 1,000 left.
            ja |    0 | 申し訳ございません。この商品は在庫切れです。
            ja |    1 | 申し訳ございません。在庫が不足しています（残り1点）。
            ja |    2 | 申し訳ございません。在庫が不足しています（残り2点）。
            ja | 1000 | 申し訳ございません。在庫が不足しています（残り1,000点）。
            ko |    0 | 죄송합니다. 이 상품은 품절되었습니다.
            ko |    1 | 죄송합니다. 재고가 부족합니다(남은 수량 1개).
            ko |    2 | 죄송합니다. 재고가 부족합니다(남은 수량 2개).
            ko | 1000 | 죄송합니다. 재고가 부족합니다(남은 수량 1,000개).
            """)
    void whatIsLeftIsCounted(String language, long available, String text) {
        assertThat(soldOut(Locale.forLanguageTag(language), available)).isEqualTo(text);
    }

    @Test
    void ofSeveralShortagesTheWorstIsTold() {
        Shortage few = new Shortage(KEY, 5, 2);
        Shortage none = new Shortage(KEY, 5, 0);
        assertThat(new OutOfStock("r1", List.of(few, none)).message(Locale.ENGLISH))
                .isEqualTo("Sorry, this item is sold out.");
    }

    @Test
    void theBusyTextIsTheOneOfTheBusinessRule() {
        String busy = "現在、アクセスが集中しています。少し時間をおいて再度お試しください。";
        Duration soon = Duration.ofMillis(20);
        assertThat(new Overloaded("r1", soon).message(Locale.JAPAN)).isEqualTo(busy);
        for (GaveUp.Reason reason : GaveUp.Reason.values()) {
            assertThat(new GaveUp("r1", reason, soon).message(Locale.JAPANESE)).isEqualTo(busy);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"en", "en-GB", "de", "zh-TW", "ar-EG", "und", "ja-JP-u-ca-japanese", "ko-KR"})
    void regionsDoNotMatterAndOtherLanguagesGetEnglish(String tag) {
        Locale locale = Locale.forLanguageTag(tag);
        String expected = file(Set.of("ja", "ko").contains(locale.getLanguage()) ? locale.getLanguage() : "en")
                .getProperty("Reserved");
        assertThat(new Reserved("r1", List.of(), Optional.empty()).message(locale))
                .isEqualTo(expected);
    }

    @Test
    void numbersAreWrittenAsTheTextsLanguageHasThem() {
        assertThat(soldOut(Locale.forLanguageTag("ar-EG"), 1_000)).isEqualTo("Sorry, there are only 1,000 left.");
        assertThat(soldOut(Locale.GERMANY, 1_000)).isEqualTo("Sorry, there are only 1,000 left.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ja", "ko", "en"})
    void noTextHasMarksOfItsFormatLeftInIt(String language) {
        Locale locale = Locale.forLanguageTag(language);
        for (Rejection why : Rejection.values()) {
            assertThat(new Rejected("r1", why, "detail").message(locale)).doesNotContain("''", "{", "}", "detail");
        }
        assertThat(new Outcome.Unknown("r1", "cause").message(locale)).doesNotContain("''", "cause");
        assertThat(soldOut(locale, 3)).doesNotContain("{", "choice");
    }
}
