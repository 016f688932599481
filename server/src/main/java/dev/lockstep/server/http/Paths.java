package dev.lockstep.server.http;

import java.util.Arrays;
import java.util.List;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** Some paths, told apart just as Spring's routing does, so that no spelling of a path gets past. */
record Paths(List<PathPattern> patterns) {
    static Paths of(String... patterns) {
        return new Paths(Arrays.stream(patterns)
                .map(PathPatternParser.defaultInstance::parse)
                .toList());
    }

    boolean contain(PathContainer path) {
        for (PathPattern each : patterns) { // for every request, several times: a stream would cost more than the match
            if (each.matches(path)) {
                return true;
            }
        }
        return false;
    }
}
