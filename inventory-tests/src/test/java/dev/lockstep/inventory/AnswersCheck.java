package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Unknown;
import dev.lockstep.inventory.TableRows.LedgerRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Compares what callers were told with what the books say. Answers every fault that it finds. */
final class AnswersCheck {
    /** A command, and what its caller was told; a command that was sent again was answered again. */
    record Answer(Command command, Outcome outcome) {}

    private static final String EXPIRY = "expire/";

    private final TableRows books;
    private final List<String> faults = new ArrayList<>();

    private AnswersCheck(TableRows books) {
        this.books = books;
    }

    /** Fails unless the answers fit the books, which nobody but the answered has changed, except for expiry. */
    static void verify(TableRows books, List<Answer> answers) {
        assertThat(faults(books, answers)).as("faults in the answers").isEmpty();
    }

    static List<String> faults(TableRows books, List<Answer> answers) {
        AnswersCheck check = new AnswersCheck(books);
        answers.forEach(check::alone);
        Map<String, List<Outcome>> told =
                answers.stream().map(Answer::outcome).collect(Collectors.groupingBy(Outcome::requestId));
        Map<String, List<LedgerRow>> done =
                books.ledger().stream().collect(Collectors.groupingBy(LedgerRow::requestId));
        told.forEach((id, outcomes) -> check.together(id, outcomes, done.containsKey(id)));
        done.keySet().stream()
                .filter(id -> !id.startsWith(EXPIRY) && !told.containsKey(id))
                .forEach(id -> check.faults.add("nobody asked for " + id));
        return check.faults;
    }

    private void alone(Answer answer) {
        Outcome outcome = answer.outcome();
        if (!outcome.requestId().equals(answer.command().requestId())) {
            faults.add(answer.command() + " was answered with " + outcome);
        }
        if (outcome instanceof Accepted accepted
                && !changes(accepted.requestId()).equals(accepted.changes())) {
            faults.add("the ledger has " + changes(accepted.requestId()) + " of " + accepted);
        }
        if (outcome instanceof OutOfStock out
                && out.shortages().stream().anyMatch(shortage -> shortage.available() >= shortage.requested())) {
            faults.add("there was enough, and yet the answer is " + out);
        }
    }

    private List<Change> changes(String requestId) {
        return books.ledger(requestId).stream().map(LedgerRow::change).toList();
    }

    private void together(String id, List<Outcome> outcomes, boolean done) {
        List<Outcome> accepted =
                outcomes.stream().filter(Accepted.class::isInstance).distinct().toList();
        if (accepted.size() > 1) {
            faults.add("equal requests were answered differently: " + accepted);
        }
        boolean maybe = outcomes.stream().anyMatch(Unknown.class::isInstance);
        if (done && accepted.isEmpty() && !maybe) {
            faults.add(id + " was done, and its callers were told " + outcomes);
        }
    }
}
