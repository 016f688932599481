package dev.lockstep.cli.store;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes passwords out of URLs. Where it can't know what is one, it takes away too much. */
final class Secrets {
    private static final String NAME = "(?i)((?:pass|pwd|secret|token)\\w*)=";
    private static final Pattern PARAMETER = Pattern.compile(NAME + "[^&]*");
    private static final Pattern PARAMETER_IN_TEXT = Pattern.compile(NAME + "[^&\\s]*");
    private static final Pattern USER_INFO = Pattern.compile("(?s)//.*@");
    private static final Pattern USER_INFO_IN_TEXT = Pattern.compile("//\\S*@");
    private static final Pattern BEFORE_AT = Pattern.compile("(?is)^(jdbc:[a-z]+:)?.*@");
    private static final Pattern SCHEME = Pattern.compile("(?is)(jdbc:[a-z0-9+]+:|[a-z][a-z0-9+.-]*://).*");

    private Secrets() {}

    /** A URL that was understood, without its passwords: user and password are what is before the last @. */
    static String hide(String url) {
        String text = PARAMETER.matcher(url).replaceAll("$1=…");
        return text.contains("//")
                ? USER_INFO.matcher(text).replaceAll("//…@")
                : BEFORE_AT.matcher(text).replaceAll("$1…@");
    }

    /** A sentence of a driver, which may quote the URL. */
    static String hideIn(String sentence) {
        String text = PARAMETER_IN_TEXT.matcher(sentence).replaceAll("$1=…");
        return USER_INFO_IN_TEXT.matcher(text).replaceAll("//…@");
    }

    /** What may be shown of a URL that was not understood, where anything can be the password. */
    static String scheme(String url) {
        Matcher scheme = SCHEME.matcher(url);
        return scheme.matches() ? "'" + scheme.group(1) + "…'" : "What was given";
    }
}
