package dev.lockstep.ordercheck;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A request that a call of a method leads to.
 *
 * @param inner what the method itself holds then
 * @param by the method and line, as messages name them
 * @param origin where the request is
 */
record TakenRequest(RequestModel request, LocksModel on, List<HeldModel> inner, String by, CodeSite origin) {
    /** The same for all that a check can't tell apart. */
    String shape() {
        return origin + " " + request.complete() + " " + keys(request) + " " + on + " "
                + inner.stream().map(TakenRequest::locks).collect(Collectors.joining(";"));
    }

    private static String keys(RequestModel request) {
        return request.wanted().stream()
                .map(each -> path(each.key()) + each.weakest() + each.strongest())
                .collect(Collectors.joining(","));
    }

    private static String locks(HeldModel held) {
        return held.complete()
                + held.locks().stream()
                        .map(each -> path(each.key()) + each.weakest() + each.sure())
                        .collect(Collectors.joining(","));
    }

    /** Ids that are not constants are different at each call: only whether they are constants counts. */
    private static String path(KeyModel key) {
        return key.levels().stream()
                .map(level ->
                        level.kind() + ":" + (level.id() instanceof IdModel.Constant constant ? constant.text() : "?"))
                .collect(Collectors.joining("/"));
    }
}
