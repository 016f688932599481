package dev.lockstep.benchmarks.server;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A handler that does nothing, in the measured server only: what a request costs before a lock or stock is thought of. */
@RestController
final class ConstantRoute {
    static final String PATH = "/api/constant";

    @GetMapping(PATH)
    String constant() {
        return "constant";
    }
}
