package dev.lockstep.testkit;

import dev.lockstep.core.FencingToken;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything that the processes of one directory logged, by key. */
final class SectionReader {
    private final Map<String, List<Section>> byKey = new TreeMap<>();
    private final Map<String, Long> counted = new HashMap<>();
    private final List<String> torn = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();

    private SectionReader() {}

    static SectionReader read(Path directory) throws IOException {
        SectionReader reader = new SectionReader();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SectionLog.SUFFIX)) {
            for (Path file : files) {
                reader.readFile(file);
            }
        }
        return reader;
    }

    private void readFile(Path file) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            String process = in.readUTF();
            for (int tag = in.read(); tag >= 0; tag = in.read()) {
                if (tag == SectionBuffer.TORN) {
                    torn.add(in.readUTF());
                } else {
                    add(readSection(tag != SectionBuffer.SHARED, process, in), tag == SectionBuffer.EXCLUSIVE);
                }
            }
        }
    }

    private Section readSection(boolean exclusive, String process, DataInputStream in) throws IOException {
        String key = name(in.readUTF());
        String owner = name(in.readUTF());
        long enter = in.readLong();
        long exit = in.readLong();
        FencingToken token = new FencingToken(in.readLong(), in.readLong());
        return new Section(key, exclusive, enter, exit, token, process, owner);
    }

    /** One string for all sections that name the same; there may be millions. */
    private String name(String read) {
        String known = names.putIfAbsent(read, read);
        return known == null ? read : known;
    }

    private void add(Section section, boolean isCounted) {
        byKey.computeIfAbsent(section.key(), key -> new ArrayList<>()).add(section);
        counted.merge(section.key(), isCounted ? 1L : 0L, Long::sum);
    }

    ExclusionReport report(Path directory) throws IOException {
        ExclusionReport.Findings findings = new ExclusionReport.Findings();
        torn.forEach(findings::torn);
        for (Map.Entry<String, List<Section>> entry : byKey.entrySet()) {
            String key = entry.getKey();
            SectionSweep.over(key, withAncestors(key), findings);
            findings.counted(key, counted.getOrDefault(key, 0L), CounterFile.read(directory, key));
        }
        return findings.report(byKey.values().stream().mapToLong(List::size).sum());
    }

    private List<Section> withAncestors(String key) {
        List<Section> sections = new ArrayList<>(byKey.getOrDefault(key, List.of()));
        for (int slash = key.lastIndexOf('/'); slash > 0; slash = key.lastIndexOf('/', slash - 1)) {
            sections.addAll(byKey.getOrDefault(key.substring(0, slash), List.of()));
        }
        return sections;
    }
}
