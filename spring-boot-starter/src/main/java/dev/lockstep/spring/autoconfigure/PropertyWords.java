package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Messages of the stores in terms of the configuration: their remedies name calls of the Java API, and an application has properties. */
final class PropertyWords {
    /** How an application gets tables and rows. */
    static final String PROVISION = "Create tables and rows once with the command 'lockstep provision', or write"
            + " lockstep.provision-if-missing=true to have them created at the start.";

    private static final Pattern DATABASE_STORE =
            Pattern.compile("(?:RowLockStore|AdvisoryLockStore)\\.(mysql|mariadb|postgresql)( and Doctor\\.\\w+)?");

    private static final Map<Pattern, String> WORDS = new LinkedHashMap<>();

    static {
        word(
                "RedisLockStore\\.cluster\\((…|\\.\\.\\.)\\)",
                "lockstep.redis.cluster=redis://host1:6379,redis://host2:6379");
        word("RedisLockStore\\.at\\((…|\\.\\.\\.)\\)", "lockstep.redis.url=redis://host:6379");
        word("(?:Run|Create the tables with) the command 'lockstep provision'.*?(?:do it|is missing)\\.", PROVISION);
        word("connections\\(\\) of the store", "lockstep.connections");
        word("\\bbuckets\\((\\d+)\\)", "lockstep.buckets=$1");
        word("\\bpartitions\\((\\d+)\\)", "lockstep.redis.partitions=$1");
        word("\\bpartitions\\((…|\\.\\.\\.)\\)", "lockstep.redis.partitions");
        word("\\blongestTerm\\((…|\\.\\.\\.)\\)", "lockstep.redis.longest-term");
    }

    private PropertyWords() {}

    private static void word(String call, String property) {
        WORDS.put(Pattern.compile(call), property);
    }

    /**
     * The same message with properties in the place of calls.
     *
     * @param setting the property that names the store which the message is about
     */
    static String in(String message, String setting) {
        String said = DATABASE_STORE.matcher(message).replaceAll(setting + "=$1");
        for (Map.Entry<Pattern, String> word : WORDS.entrySet()) {
            said = word.getKey().matcher(said).replaceAll(word.getValue());
        }
        return said;
    }

    /**
     * The same findings with properties in the place of calls.
     *
     * @param setting the property that names the store which they are about
     */
    static Diagnosis in(Diagnosis diagnosis, String setting) {
        return new Diagnosis(diagnosis.findings().stream()
                .map(each -> new Finding(each.severity(), in(each.what(), setting), in(each.whatToDo(), setting)))
                .toList());
    }
}
