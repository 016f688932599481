package dev.lockstep.cli.store;

import java.util.regex.Pattern;

/** Takes passwords out of URLs. */
final class Secrets {
    private static final Pattern USER_INFO = Pattern.compile("//[^/?#@]*@");
    private static final Pattern PARAMETER = Pattern.compile("(?i)((?:pass|secret|token)\\w*)=[^&;,)]*");

    private Secrets() {}

    static String hide(String url) {
        String withoutUser = USER_INFO.matcher(url).replaceAll("//…@");
        return PARAMETER.matcher(withoutUser).replaceAll("$1=…");
    }
}
