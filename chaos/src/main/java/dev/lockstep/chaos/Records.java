package dev.lockstep.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All histories of a run, read and put together. */
final class Records {
    /** The name of the history of the process that breaks things. The lines of the other processes go through it. */
    static final String CONDUCTOR = "conductor";

    private final Map<String, List<HistoryLine>> lines = new TreeMap<>();
    private final List<Call> calls = new ArrayList<>();
    private final Set<String> killed = new HashSet<>();

    private Records() {}

    static Records in(Path directory) {
        Map<String, List<String>> texts = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(each -> each.toString().endsWith(History.SUFFIX))
                    .toList()) {
                String name = file.getFileName().toString().replace(History.SUFFIX, "");
                texts.put(name, wholeLines(Files.readString(file, StandardCharsets.UTF_8)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return of(texts);
    }

    /** A process that was killed may have left half a line at the end. */
    private static List<String> wholeLines(String text) {
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    /** Histories by the names of their processes. */
    static Records of(Map<String, List<String>> texts) {
        Records records = new Records();
        texts.forEach((process, text) -> records.lines.put(
                process,
                text.stream().flatMap(each -> HistoryLine.parse(each).stream()).toList()));
        records.lines.forEach(records::putTogether);
        records.lines.replaceAll((process, history) ->
                history.stream().filter(line -> !line.is("held")).toList()); // most of them, and in the calls by now
        records.all("killed").forEach(line -> records.killed.add(line.text("process")));
        return records;
    }

    private void putTogether(String process, List<HistoryLine> history) {
        Map<String, Call> own = new LinkedHashMap<>();
        List<HistoryLine> steps = new ArrayList<>();
        for (HistoryLine line : history) {
            if (line.is("invoke")) {
                own.put(line.text("op"), new Call(process, line));
            } else if (line.is("step")) {
                steps.add(line);
            } else if (line.has("op")) {
                Call call = own.get(line.text("op"));
                if (call != null) {
                    call.add(line);
                }
            }
        }
        own.values().stream().filter(call -> anyDuring(call, steps)).forEach(Call::clockStepped);
        calls.addAll(own.values());
    }

    private static boolean anyDuring(Call call, List<HistoryLine> steps) {
        long end = call.lost().or(call::released).map(HistoryLine::nanos).orElse(Long.MAX_VALUE);
        return steps.stream().anyMatch(step -> step.nanos() >= call.invoked() && step.number("from") <= end);
    }

    List<Call> calls() {
        return calls;
    }

    List<Call> granted() {
        return calls.stream().filter(Call::isGranted).toList();
    }

    /** The lines with this verb, of all processes. */
    List<HistoryLine> all(String verb) {
        return lines.values().stream()
                .flatMap(List::stream)
                .filter(line -> line.is(verb))
                .toList();
    }

    /** The lines with this verb, of one process. */
    List<HistoryLine> of(String process, String verb) {
        return lines.getOrDefault(process, List.of()).stream()
                .filter(line -> line.is(verb))
                .toList();
    }

    /** The store that the run was on; empty if the history doesn't say, or names one that is not known here. */
    Optional<Setup> setup() {
        return all("setup").stream()
                .flatMap(line -> Setup.titled(line.text("name")).stream())
                .findFirst();
    }

    /** The processes that had a chance to finish what they began. */
    List<String> survivors() {
        return lines.keySet().stream()
                .filter(process -> process.startsWith("p") && !killed.contains(process))
                .toList();
    }

    int processes() {
        return (int) lines.keySet().stream()
                .filter(process -> process.startsWith("p"))
                .count();
    }

    /** How long a process stood still, in all, between two moments: as a whole, one of its threads, or its lines to the servers. */
    long stalled(String process, long from, long to) {
        List<HistoryLine> stalls = Stream.of(process, CONDUCTOR)
                .flatMap(each -> of(each, "stall").stream())
                .filter(stall -> stall.number("from") < to && stall.nanos() > from)
                .sorted(Comparator.comparingLong(HistoryLine::nanos))
                .toList();
        long all = 0;
        long counted = Long.MIN_VALUE; // until when, because several threads notice the same stall
        for (HistoryLine stall : stalls) {
            long start = Math.max(counted, stall.nanos() - stall.number("nanos"));
            all += stall.nanos() - start;
            counted = stall.nanos();
        }
        return all;
    }
}
