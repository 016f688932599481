package dev.lockstep.testkit;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Goes through the sections of a key and of those above it, which should exclude each other, as they began. */
final class SectionSweep {
    private final String key;
    private final ExclusionReport.Findings findings;
    private @Nullable Section lastExclusiveToEnd;
    private @Nullable Section lastToEnd;
    private @Nullable Section newestExclusive;
    private @Nullable Section newest;

    private SectionSweep(String key, ExclusionReport.Findings findings) {
        this.key = key;
        this.findings = findings;
    }

    static void over(String key, List<Section> sections, ExclusionReport.Findings findings) {
        sections.sort(Comparator.comparingLong(Section::enter));
        SectionSweep sweep = new SectionSweep(key, findings);
        sections.forEach(sweep::visit);
    }

    private void visit(Section section) {
        Section running = section.exclusive() ? lastToEnd : lastExclusiveToEnd;
        if (running != null
                && concerns(running, section)
                && running.exit() > section.enter()
                && !running.sameLease(section)) {
            findings.overlap(running, section);
        }
        Section before = section.exclusive() ? newest : newestExclusive;
        if (before != null
                && concerns(before, section)
                && before.token().compareTo(section.token()) >= 0
                && !before.sameOwner(section)) {
            findings.tokenOutOfOrder(before, section);
        }
        lastToEnd = laterEnd(lastToEnd, section);
        newest = newer(newest, section);
        if (section.exclusive()) {
            lastExclusiveToEnd = laterEnd(lastExclusiveToEnd, section);
            newestExclusive = newer(newestExclusive, section);
        }
    }

    /** What the keys above do among themselves is found with them. */
    private boolean concerns(Section one, Section other) {
        return one.key().equals(key) || other.key().equals(key);
    }

    private static Section laterEnd(@Nullable Section known, Section section) {
        return known == null || section.exit() > known.exit() ? section : known;
    }

    private static Section newer(@Nullable Section known, Section section) {
        return known == null || section.token().compareTo(known.token()) > 0 ? section : known;
    }
}
