package dev.lockstep.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.spring.actuate.LocksReport;
import dev.lockstep.spring.leadership.LeadershipAutoConfiguration;
import dev.lockstep.spring.locked.LockedConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/** Spring's processing ahead of time, which a native image needs. */
@Tag("once")
class AheadOfTimeTest {
    @Test
    void anApplicationWithLocksIsProcessed() {
        InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get("dev.lockstep.spring.generated", "Application")), files);
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            TestPropertyValues.of(
                            "lockstep.store=memory",
                            "lockstep.kinds.leader.rank=1",
                            "lockstep.leadership.keys.importer=leader:importer")
                    .applyTo(context);
            context.register(
                    LockstepAutoConfiguration.class, LockedConfiguration.class, LeadershipAutoConfiguration.class);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
        }
        assertThat(files.getGeneratedFiles(Kind.SOURCE).keySet())
                .anyMatch(name -> name.contains("LockstepAutoConfiguration"))
                .anyMatch(name -> name.contains("LeadershipAutoConfiguration"));
    }

    @Test
    void theScriptsForRedisAndWhatEndpointsShowAreKept() {
        RuntimeHints hints = new RuntimeHints();
        new LockstepRuntimeHints().registerHints(hints, getClass().getClassLoader());
        assertThat(RuntimeHintsPredicates.resource().forResource("dev/lockstep/redis/acquire.lua"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(LocksReport.class))
                .accepts(hints);
    }
}
