package dev.lockstep.spring.leadership;

import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether the application stands for any leadership. */
final class AnyLeadership extends SpringBootCondition {
    private static final String KEYS = "lockstep.leadership.keys";

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean any = !Binder.get(context.getEnvironment())
                .bind(KEYS, Bindable.mapOf(String.class, String.class))
                .orElse(Map.of())
                .isEmpty();
        ConditionMessage message = ConditionMessage.forCondition("Leadership").because(KEYS + (any ? "" : " not set"));
        return new ConditionOutcome(any, message);
    }
}
