package dev.lockstep.server.events;

import java.time.Instant;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** How much was taken and waited for in the last minutes. */
@RestController
final class ContentionController {
    private final ContentionMeter meter;

    ContentionController(ContentionMeter meter) {
        this.meter = meter;
    }

    @GetMapping("/api/contention")
    ContentionView contention() {
        return meter.view(Instant.now());
    }
}
