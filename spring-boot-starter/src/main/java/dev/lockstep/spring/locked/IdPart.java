package dev.lockstep.spring.locked;

import dev.lockstep.core.InvalidRequestException;
import java.util.List;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;

/** A part of an id in a template: the same for every call, or worked out from the call's arguments. */
sealed interface IdPart {
    /** What this part may be in this call; several values stand for several keys. */
    List<String> values(EvaluationContext call);

    /** Text that is the same for every call. */
    record Fixed(String text) implements IdPart {
        @Override
        public List<String> values(EvaluationContext call) {
            return List.of(text);
        }
    }

    /**
     * An expression over the arguments.
     *
     * @param where the method and the template it stands in, for messages
     */
    record Evaluated(Expression expression, String where) implements IdPart {
        @Override
        public List<String> values(EvaluationContext call) {
            Object value;
            try {
                value = expression.getValue(call);
            } catch (EvaluationException e) {
                InvalidRequestException failure =
                        invalid("can't be worked out: " + e.getMessage(), "Nothing was locked.");
                failure.addSuppressed(e);
                throw failure;
            }
            return IdValues.of(value, this);
        }

        InvalidRequestException invalid(String what, String instead) {
            return new InvalidRequestException(
                    where + ": #{" + expression.getExpressionString() + "} " + what + ". " + instead);
        }
    }
}
