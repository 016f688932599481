package dev.lockstep.etcd;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Responses of several servers. */
final class AllResponses {
    private AllResponses() {}

    /** Asks for all at once; completes when all are there, or have failed. */
    static <A, B> CompletionStage<List<B>> all(Collection<A> of, Function<A, CompletionStage<B>> ask) {
        List<CompletableFuture<B>> answers =
                of.stream().map(each -> ask.apply(each).toCompletableFuture()).toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(
                        nothing -> answers.stream().map(CompletableFuture::join).toList());
    }
}
