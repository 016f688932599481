package dev.lockstep.chaos;

import static dev.lockstep.chaos.Promise.LEASES_END_WITH_CONNECTIONS;
import static dev.lockstep.chaos.Promise.LEASES_OUTLIVE_CONNECTIONS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The checker finds what is wrong in histories that were made wrong, each in one way, and nothing in those that are right. */
class CheckerTest {
    private final Script script = new Script().healed(0);

    private List<String> rulesBroken() {
        return script.rulesBrokenOn(LEASES_OUTLIVE_CONNECTIONS);
    }

    // ---- overlaps

    @ParameterizedTest
    @EnumSource
    void leasesOneAfterTheOtherAreRight(Promise promise) {
        script.lease("p0-0", "x:house:a", 100, 200, "0.1").lease("p1-0", "x:house:a", 201, 300, "0.2");
        assertThat(script.rulesBrokenOn(promise)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "x:house:a, x:house:a",
        "x:house:a, s:house:a",
        "x:house:a, s:house:a/floor:b/room:a",
        "s:house:a, x:house:a/floor:b",
        "x:house:a/floor:b/room:a, s:house:a/floor:b",
        "x:cart:a s:house:b, x:house:b x:cart:c"
    })
    void leasesThatExcludeEachOtherMustNotOverlap(String one, String other) {
        script.lease("p0-0", one, 100, 200, "0.1").lease("p1-0", other, 199, 300, "0.2");
        assertThat(rulesBroken()).containsExactly("overlap");
        assertThat(script.rulesBrokenOn(LEASES_END_WITH_CONNECTIONS)).containsExactly("overlap");
    }

    @ParameterizedTest
    @CsvSource({
        "s:house:a, s:house:a",
        "x:house:a, x:house:b",
        "s:house:a/floor:a, s:house:a",
        "x:house:a/floor:a, x:house:a/floor:b",
        "x:house:a/floor:a, x:house:a/floor:aa"
    })
    void othersMayOverlap(String one, String other) {
        script.lease("p0-0", one, 100, 200, "0.1").lease("p1-0", other, 150, 300, "0.2");
        assertThat(rulesBroken()).isEmpty();
    }

    @Test
    void leasesOfOneHolderMayOverlap() {
        int outer = script.ask("p0-0", 100, "x:house:a");
        int inner = script.ask("p0-0", 110, "x:house:a", outer);
        script.granted("p0-0", outer, 101, 200, "0.1", "renewed");
        script.granted("p0-0", inner, 111, 150, "0.1", "renewed");
        script.line("p0-0", 150, "released op=" + inner).line("p0-0", 200, "released op=" + outer);
        assertThat(rulesBroken()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"EXPIRED, overlap", "UNCONFIRMED, overlap", "REFUSED,", "OUTER_LOST,"})
    void aHolderThatStoodStillCountedOnItsLeaseUntilItsOwnEnd(String reason, String rule) {
        script.lost("p0-0", "x:house:a", 100, 110, 1_000, 3_000, reason).lease("p1-0", "x:house:a", 900, 950, "0.200");
        assertThat(rulesBroken()).isEqualTo(rule == null ? List.of() : List.of(rule));
    }

    @Test
    void anEndIsNotKnownWhenTheWallClockJumped() {
        script.lost("p0-0", "x:house:a", 100, 110, 1_000, 120, "EXPIRED")
                .line("p0-0", 115, "step millis=5000 from=114000000")
                .lease("p1-0", "x:house:a", 900, 950, "0.200");
        assertThat(rulesBroken()).isEmpty();
    }

    // ---- what databases may do

    @ParameterizedTest
    @ValueSource(strings = {"p0-0", "*"})
    void aConnectionThatEndsFreesItsLocksOnADatabaseOnly(String process) {
        script.lease("p0-0", "x:house:a", 100, 1_300, "0.1")
                .breaks(process, 200, 201)
                .lease("p1-0", "x:house:a", 210, 400, "0.2");
        assertThat(script.rulesBrokenOn(LEASES_END_WITH_CONNECTIONS)).isEmpty();
        assertThat(rulesBroken()).containsExactly("overlap");
    }

    @Test
    void theHolderMustLearnItAtItsNextRenewal() {
        script.lease("p0-0", "x:house:a", 100, 1_700, "0.1")
                .breaks("p0-0", 200, 201)
                .lease("p1-0", "x:house:a", 210, 400, "0.2");
        assertThat(script.rulesBrokenOn(LEASES_END_WITH_CONNECTIONS)).containsExactly("overlap");
    }

    @Test
    void aHolderWhoseProcessStoodStillLearnsItLaterByAsMuch() {
        script.lease("p0-0", "x:house:a", 100, 1_700, "0.1")
                .breaks("p0-0", 200, 201)
                .line("p0-0", 900, "stall from=600000000 nanos=300000000")
                .lease("p1-0", "x:house:a", 210, 400, "0.2");
        assertThat(script.rulesBrokenOn(LEASES_END_WITH_CONNECTIONS)).isEmpty();
    }

    @Test
    void aLeaseWithATermOfItsOwnLearnsItAtItsEnd() {
        script.lease("p0-0", "x:house:a", 100, 1_900, "0.1", "2000")
                .breaks("p0-0", 200, 201)
                .lease("p1-0", "x:house:a", 210, 400, "0.2");
        assertThat(script.rulesBrokenOn(LEASES_END_WITH_CONNECTIONS)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"p1-0, 200", "p0-0, 50", "p0-0, 220"})
    void anotherProcessOrTimeExcusesNothing(String process, long millis) {
        script.lease("p0-0", "x:house:a", 100, 300, "0.1")
                .breaks(process, millis, millis + 1)
                .lease("p1-0", "x:house:a", 210, 400, "0.2");
        assertThat(script.rulesBrokenOn(LEASES_END_WITH_CONNECTIONS)).containsExactly("overlap");
    }

    // ---- what pairs may do

    @ParameterizedTest
    @CsvSource({"PAIR_THAT_STOPS, overlap", "PAIR_THAT_GOES_ON,"})
    void onlyAPairThatContinuesMayHaveHoldersOfTwoEpochs(Promise promise, String rule) {
        script.lease("p0-0", "x:house:a", 100, 300, "1.1").lease("p1-0", "x:house:a", 200, 400, "2.1");
        assertThat(script.rulesBrokenOn(promise)).isEqualTo(rule == null ? List.of() : List.of(rule));
    }

    @ParameterizedTest
    @CsvSource({"PAIR_THAT_STOPS, token", "PAIR_THAT_GOES_ON,"})
    void onlyAPairThatContinuesMayGrantInAnOldEpoch(Promise promise, String rule) {
        script.lease("p0-0", "x:house:a", 100, 200, "2.1").lease("p1-0", "x:house:a", 300, 400, "1.9");
        assertThat(script.rulesBrokenOn(promise)).contains(rule == null ? new String[0] : new String[] {rule});
        assertThat(script.rulesBrokenOn(promise).isEmpty()).isEqualTo(rule == null);
    }

    @ParameterizedTest
    @CsvSource({"7, MYSQL, true", "8, MYSQL, false", "7, REDIS, false", "8, REDIS, false"})
    void aConnectionThatEndsFreesWhatWasGrantedThere(long first, String server, boolean allowed) {
        script.line("conductor", 1, "epochs first=" + first)
                .lease("p0-0", "x:house:a", 100, 300, "8.1")
                .line("conductor", 201, "break server=" + server + " process=p0-0 from=200000000")
                .lease("p1-0", "x:house:a", 210, 400, "8.2");
        assertThat(script.rulesBrokenOn(Promise.PAIR_THAT_STOPS).isEmpty()).isEqualTo(allowed);
        assertThat(script.rulesBrokenOn(Promise.PAIR_THAT_GOES_ON).isEmpty()).isEqualTo(allowed);
    }

    // ---- tokens

    @ParameterizedTest
    @CsvSource({
        "x:house:a, x:house:a, 0.2",
        "x:house:a, x:house:a, 0.1",
        "x:house:a, s:house:a/floor:a, 0.1",
        "s:house:a/floor:a/room:b, x:house:a, 0.1",
        "x:house:a, x:house:a, 1.1"
    })
    void aLaterGrantMustHaveAHigherToken(String one, String other, String token) {
        script.lease("p0-0", one, 100, 200, token).lease("p1-0", other, 300, 400, "0.1");
        assertThat(rulesBroken()).contains("token");
    }

    @Test
    void alsoOneThatWasWaitedFor() {
        int early = script.ask("p1-0", 90, "x:house:a");
        script.lease("p0-0", "x:house:a", 100, 200, "0.7");
        script.granted("p1-0", early, 201, 300, "0.6", "renewed");
        script.line("p1-0", 300, "released op=" + early);
        assertThat(rulesBroken()).containsExactly("token");
    }

    @Test
    void tokensOfThingsThatHaveNothingToDoWithEachOtherAreFree() {
        script.lease("p0-0", "s:house:a x:house:b", 100, 200, "0.7")
                .lease("p1-0", "s:house:a x:house:c", 300, 400, "0.6");
        assertThat(rulesBroken()).isEmpty();
    }

    // ---- writes

    @Test
    void theGuardMustNotAcceptALowerToken() {
        script.line("p0-0", 100, "write op=1 thing=house:a token=0.7 number=11")
                .line("p1-0", 90, "write op=1 thing=house:a token=0.6 number=12");
        assertThat(rulesBroken()).containsExactly("write");
    }

    @Test
    void anEqualTokenAnotherThingAndARefusalAreRight() {
        script.line("p0-0", 100, "write op=1 thing=house:a token=1.7 number=11")
                .line("p0-0", 101, "write op=1 thing=house:a token=1.7 number=12")
                .line("p1-0", 102, "write op=1 thing=house:b token=0.9 number=13")
                .line("p1-0", 103, "write op=1 thing=house:a token=0.9 number=refused");
        assertThat(rulesBroken()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0.8, 0.7,", "0.6, 0.7, guard", "1.6, 0.7,"})
    void theGuardMustNotRefuseTheHighestToken(String granted, String refused, String rule) {
        script.lease("p0-0", "x:house:a", 100, 200, granted)
                .line("p1-0", 210, "write op=9 thing=house:a token=" + refused + " number=refused");
        assertThat(rulesBroken()).isEqualTo(rule == null ? List.of() : List.of(rule));
    }

    // ---- while nothing is broken

    @Test
    void noRequestFailsInTheCalm() {
        failedAt(5_000);
        assertThat(rulesBroken()).isEmpty();
        assertThat(script.calm(2_000, 9_000).rulesBrokenOn(LEASES_OUTLIVE_CONNECTIONS))
                .containsExactly("failure");
    }

    @Test
    void aStandstillExcusesWhatFailsSoonAfterIt() {
        failedAt(5_000);
        script.calm(2_000, 9_000).stall("p1-0", 3_500, 4_000);
        assertThat(rulesBroken()).isEmpty();
    }

    private void failedAt(long millis) {
        int op = script.ask("p0-0", millis, "x:house:a");
        script.line("p0-0", millis + 5, "failed op=" + op + " code=store-unavailable");
    }

    @ParameterizedTest
    @CsvSource({"UNCONFIRMED, renewed, loss", "REFUSED, renewed, loss", "UNCONFIRMED, 2000,", "OUTER_LOST, renewed,"})
    void noRenewedLeaseIsLostInTheCalm(String reason, String term, String rule) {
        int op = script.ask("p0-0", 5_000, "x:house:a");
        script.calm(2_000, 9_000)
                .line("p0-0", 5_005, "grant op=" + op + " token=0.1 term=" + term + " source=test")
                .line("p0-0", 6_000, "lost op=" + op + " reason=" + reason)
                .line("p0-0", 6_001, "released op=" + op + " outcome=LOST");
        assertThat(rulesBroken()).isEqualTo(rule == null ? List.of() : List.of(rule));
    }

    @ParameterizedTest
    @CsvSource({
        "x:house:a, x:house:b, wakeup",
        "x:house:a, x:house:a,",
        "x:house:a, s:house:a/floor:b/room:a,",
        "x:house:a/floor:b, x:house:a/floor:c, wakeup",
        "x:house:a x:cart:a, x:cart:a,"
    })
    void noRequestWaitsForLocksThatAreFree(String wanted, String held, String rule) {
        script.calm(2_000, 19_000).lease("p1-0", held, 5_900, 8_000, "0.1");
        int op = script.ask("p0-0", 6_000, wanted);
        script.line("p0-0", 9_000, "busy op=" + op);
        assertThat(rulesBroken()).isEqualTo(rule == null ? List.of() : List.of(rule));
        assertThat(script.rulesBrokenOn(LEASES_END_WITH_CONNECTIONS)).isEmpty();
    }

    @Test
    void noGrantComesLongAfterTheLockWasFree() {
        script.calm(2_000, 19_000).lease("p1-0", "x:house:a", 5_000, 6_000, "0.1");
        int op = script.ask("p0-0", 5_500, "x:house:a");
        script.granted("p0-0", op, 8_500, 8_600, "0.2", "renewed");
        script.line("p0-0", 8_600, "released op=" + op + " outcome=RELEASED");
        assertThat(rulesBroken()).containsExactly("wakeup");
    }

    @ParameterizedTest
    @CsvSource({"x:house:a, x:house:a, order", "x:house:a, s:house:a,", "x:house:a, x:house:a x:house:b,"})
    void noLaterRequestForTheSameKeyIsServedFirst(String earlier, String later, String rule) {
        script.calm(2_000, 19_000).lease("p2-0", "x:house:a", 4_000, 6_000, "0.1");
        int first = script.ask("p0-0", 5_000, earlier);
        int second = script.ask("p1-0", 5_500, later);
        script.granted("p1-0", second, 6_010, 6_400, "0.2", "renewed");
        script.line("p1-0", 6_400, "released op=" + second + " outcome=RELEASED");
        script.granted("p0-0", first, 6_500, 6_600, "0.3", "renewed");
        script.line("p0-0", 6_600, "released op=" + first + " outcome=RELEASED");
        assertThat(rulesBroken()).isEqualTo(rule == null ? List.of() : List.of(rule));
    }

    // ---- ends

    @Test
    void everyRequestMustBeAnswered() {
        script.lease("p0-0", "x:house:a", 100, 200, "0.1").ask("p0-0", 300, "x:house:a");
        assertThat(rulesBroken()).containsExactly("wait");
    }

    @Test
    void everyRequestMustBeAnsweredInTime() {
        int op = script.ask("p0-0", 100, "x:house:a");
        script.line("p0-0", 70_000, "busy op=" + op).lease("p0-0", "x:house:a", 71_000, 72_000, "0.1");
        assertThat(rulesBroken()).containsExactly("wait");
    }

    @Test
    void everyLeaseMustEnd() {
        int op = script.ask("p0-0", 100, "x:house:a");
        script.granted("p0-0", op, 101, 200, "0.1", "renewed");
        assertThat(rulesBroken()).containsExactly("end");
    }

    @Test
    void aKilledProcessOwesNothing() {
        int op = script.ask("p0-0", 100, "x:house:a");
        script.granted("p0-0", op, 101, 200, "0.1", "renewed");
        script.ask("p0-0", 201, "x:house:b");
        script.line("conductor", 300, "killed process=p0-0");
        assertThat(rulesBroken()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UNTOLD", "REVIVED"})
    void everyLossMustBeTold(String reason) {
        script.lost("p0-0", "x:house:a", 100, 110, 200, 60_200, reason);
        assertThat(rulesBroken()).containsExactly("loss");
    }

    @Test
    void everyThreadMustBeServedWhenAllIsHealed() {
        Script late = new Script()
                .healed(1_000)
                .line("p0-0", 1, "begin thread=t0")
                .line("p1-0", 1, "begin thread=t0")
                .line("p2-0", 1, "begin thread=t0")
                .line("conductor", 900, "killed process=p2-0")
                .lease("p0-0", "x:house:a", 100, 200, "0.1")
                .lease("p1-0", "x:house:a", 1_100, 1_200, "0.2");
        assertThat(late.rulesBrokenOn(LEASES_OUTLIVE_CONNECTIONS)).containsExactly("liveness");
    }

    @ParameterizedTest
    @CsvSource({"store-unavailable,", "lease-lost,", "deadlock, error", "store-failed, error", "order-violation, error"
    })
    void onlySomeFailuresAreExpected(String code, String rule) {
        int op = script.ask("p0-0", 100, "x:house:a");
        script.line("p0-0", 110, "failed op=" + op + " code=" + code).lease("p0-0", "x:house:a", 200, 210, "0.1");
        assertThat(rulesBroken()).isEqualTo(rule == null ? List.of() : List.of(rule));
    }

    @ParameterizedTest
    @ValueSource(strings = {"broken thread=t0", "stuck thread=t0", "unswept text=x"})
    void aThreadThatBreaksOrHangsAndLocksThatStayAreReported(String line) {
        script.line("p0-0", 100, line);
        assertThat(rulesBroken()).hasSize(1);
    }
}
