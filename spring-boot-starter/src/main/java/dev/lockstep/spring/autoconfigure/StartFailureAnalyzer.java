package dev.lockstep.spring.autoconfigure;

import dev.lockstep.spring.LockstepStartException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Has Spring Boot print what is wrong and what to do. */
final class StartFailureAnalyzer extends AbstractFailureAnalyzer<LockstepStartException> {
    @Override
    protected FailureAnalysis analyze(Throwable root, LockstepStartException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), root);
    }
}
