package dev.lockstep.testkit;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.testkit.Named.CHARACTER;
import static dev.lockstep.testkit.Scenario.take;
import static dev.lockstep.testkit.Tenancy.ACCOUNT;
import static dev.lockstep.testkit.Tenancy.RESOURCE;
import static dev.lockstep.testkit.Tenancy.USER;
import static dev.lockstep.testkit.Tenancy.account;
import static dev.lockstep.testkit.Tenancy.resource;
import static dev.lockstep.testkit.Tenancy.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindMismatchException;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.Lease;
import dev.lockstep.core.Limits;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is wrong in itself is rejected at once, with what to write instead, and nothing is held afterwards. */
interface InputContract extends Scenario {
    private void rejects(ThrowingCallable call, String... said) {
        assertThatThrownBy(call).isInstanceOf(InvalidRequestException.class).hasMessageContainingAll(said);
        assertThat(locks().snapshot().isEmpty()).isTrue();
    }

    @Test
    @DisplayName("null and empty ids are rejected")
    @SuppressWarnings("NullAway")
    default void badIds() {
        rejects(() -> user(""), "user", "not empty");
        rejects(() -> user(null), "user", "not null");
        rejects(() -> user("u1").child(ACCOUNT, ""), "account", "not empty");
        rejects(() -> user("u1").child(ACCOUNT, null), "account", "not null");
    }

    @Test
    @DisplayName("a kind under the wrong parent is rejected")
    default void wrongParent() {
        rejects(() -> ACCOUNT.key("a1"), "account", "user", "child(");
        rejects(() -> user("u1").child(RESOURCE, "r1"), "resource", "account", "child(");
        rejects(() -> user("u1").child(CHARACTER, "A"), "character", ".key(");
        rejects(() -> resource("u1", "a1", "r1").child(USER, "u2"), "user", ".key(");
    }

    @Test
    @DisplayName("texts that name no key are rejected")
    default void badTexts() {
        Kinds kinds = Kinds.of(USER, ACCOUNT, RESOURCE, CHARACTER);
        for (String text : List.of(
                "",
                "u1",
                "unknown:u1",
                "user:",
                "user:u1/",
                "account:a1",
                "user:u1/resource:r1",
                "user:a:b",
                "user:%zz",
                "12:character:A",
                "11:unknown:A",
                "11:character")) {
            rejects(() -> kinds.parse(text), ".");
        }
        rejects(() -> kinds.parse("unknown:u1"), "unknown", "user, account, resource, character");
        assertThat(kinds.parse("11:character:A")).isEqualTo(CHARACTER.key("A"));
        assertThat(kinds.parse("user:u1/account:a1")).isEqualTo(account("u1", "a1"));
    }

    @Test
    @DisplayName("kinds with one rank, or with a rank not above their parent's, are rejected")
    default void badKinds() {
        rejects(
                () -> stage().party(options -> options.kinds(OddKind.named("one", 50), OddKind.named("two", 50))),
                "50",
                "its own rank");
        rejects(() -> Kinds.of(OddKind.named("one", 50), OddKind.named("two", 50)), "50", "its own rank");
        OddKind top = OddKind.named("top", 60);
        rejects(() -> stage().party(options -> options.kinds(top.below("below", 60))), "below", "61 or more");
        rejects(() -> stage().party(options -> options.kinds(top.below("below", 59))), "below", "61 or more");
        rejects(() -> stage().party(options -> options.kinds(OddKind.named("negative", -1))), "zero or more");
        rejects(() -> stage().party(options -> options.kinds(OddKind.named("Bad Name", 70))), "lower-case");
        rejects(
                () -> locks().acquire(exclusive(
                        OddKind.named("rival", CHARACTER.rank()).key("x"), CHARACTER.key("A"))),
                "its own rank");
        take(locks(), exclusive(CHARACTER.key("A"))).close();
        take(other(), exclusive(OddKind.named("two", 50).key("x"))).close();
    }

    @Test
    @DisplayName("a kind that two parties declare differently is refused with both definitions")
    default void kindMismatch() {
        Lease known = take(locks(), exclusive(OddKind.named("thing", 80).key("x")));
        LockKey differently = OddKind.named("thing", 81).key("x");
        assertThatThrownBy(() -> other().acquire(exclusive(differently)))
                .isInstanceOfSatisfying(KindMismatchException.class, error -> {
                    assertThat(error.known().rank()).isEqualTo(80);
                    assertThat(error.declared().rank()).isEqualTo(81);
                    assertThat(error).hasMessageContainingAll("rank 80", "rank 81");
                });
        known.close();
        take(other(), exclusive(OddKind.named("thing", 80).key("x"))).close();
    }

    @Test
    @DisplayName("zero and negative durations are rejected")
    default void badDurations() {
        LockRequest request = exclusive(CHARACTER.key("A"));
        for (Duration bad : List.of(Duration.ZERO, Duration.ofMillis(-1))) {
            rejects(() -> request.within(bad), "withoutWaiting()");
            rejects(() -> request.forTerm(bad), "positive");
            rejects(() -> request.atMost(bad), "positive");
            rejects(() -> stage().party(options -> options.defaultWait(bad)), "positive");
            rejects(() -> stage().party(options -> options.defaultTerm(bad)), "positive");
            rejects(() -> stage().party(options -> options.longestHold(bad)), "positive");
        }
        Lease lease = take(locks(), request);
        assertThatThrownBy(() -> lease.renew(Duration.ZERO)).isInstanceOf(InvalidRequestException.class);
        assertThat(lease.isHeld()).isTrue();
        lease.close();
    }

    @Test
    @DisplayName("too many keys, too long ids and too deep keys are rejected")
    default void beyondTheLimits() {
        Locks narrow = stage().party(options -> options.limits(new Limits(4, 2, 2)));
        rejects(() -> narrow.acquire(exclusive(user("u1"), user("u2"), user("u3"))), "3 keys", "2 are allowed");
        rejects(() -> narrow.tryAcquire(exclusive(user("u1234"))), "5 chars", "4 are allowed");
        rejects(() -> narrow.acquire(exclusive(resource("u1", "a1", "r1"))), "3 levels", "2 are allowed");
        rejects(() -> narrow.acquireAsync(exclusive(resource("u1", "a1", "r1"))), "3 levels");
        rejects(() -> new Limits(0, 1, 1), "1 or more");
        take(narrow, exclusive(user("u123"), account("u1", "a1"))).close();
    }

    @Test
    @DisplayName("requests without keys or without an owner's name are rejected")
    @SuppressWarnings("NullAway")
    default void badRequests() {
        rejects(() -> exclusive(), "at least one");
        rejects(() -> exclusive(List.of()), "at least one");
        rejects(() -> exclusive((LockKey) null), "null");
        rejects(() -> exclusive(user("u1")).as(" "), "owner label");
    }
}
