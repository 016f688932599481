package dev.lockstep.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockKind;
import dev.lockstep.spring.samples.Tenancy;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Kinds come from properties, enums or a bean, and agree. */
@Tag("once")
class ConfiguredKindsTest {
    private static final String TENANCY = "lockstep.kinds-from=" + "dev.lockstep.spring.samples.Tenancy";

    /** Kinds that are beside those of the samples. */
    public enum Catalog implements LockKind {
        ITEM;

        @Override
        public String prefix() {
            return "item";
        }

        @Override
        public int rank() {
            return 7;
        }
    }

    private static ApplicationContextRunner application(String... properties) {
        return Applications.plain().withPropertyValues("lockstep.store=memory").withPropertyValues(properties);
    }

    @Test
    @DisplayName("properties name rank, parent and leaf, in any order")
    void properties() {
        application(
                        "lockstep.kinds.resource.rank=2",
                        "lockstep.kinds.resource.parent=account",
                        "lockstep.kinds.resource.leaf=true",
                        "lockstep.kinds.account.rank=1",
                        "lockstep.kinds.account.parent=user",
                        "lockstep.kinds.user.rank=0",
                        "lockstep.kinds.order-line.rank=5",
                        "lockstep.kinds[stock_item].rank=6")
                .run(context -> assertThat(context.getBean(Kinds.class).definitions())
                        .extracting(KindDefinition::toString)
                        .containsExactlyInAnyOrder(
                                "user (rank 0, no parent, level 0)",
                                "account (rank 1, child of user, level 1)",
                                "resource (rank 2, child of account, level 2, leaf)",
                                "order-line (rank 5, no parent, level 0)",
                                "stock_item (rank 6, no parent, level 0)"));
    }

    @Test
    @DisplayName("several enums and properties go together, and keys have the enum's kinds")
    void enums() {
        application(
                        "lockstep.kinds-from=dev.lockstep.spring.samples.Tenancy," + Catalog.class.getName(),
                        "lockstep.kinds.resource.rank=2",
                        "lockstep.kinds.resource.parent=account",
                        "lockstep.kinds.user.rank=0")
                .run(context -> {
                    Kinds kinds = context.getBean(Kinds.class);
                    assertThat(kinds.find("user")).contains(Tenancy.USER);
                    assertThat(kinds.find("item")).contains(Catalog.ITEM);
                    assertThat(kinds.parse("user:u/account:a/resource:r").depth())
                            .isEqualTo(3);
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "lockstep.kinds.user.leaf=true| |Kind 'user' has no rank.|lockstep.kinds.user.rank=0",
                "lockstep.kinds.a.rank=1|lockstep.kinds.a.parent=b|The parent 'b' of kind 'a' is not declared.|lockstep.kinds.b.rank",
                "lockstep.kinds.a.rank=1|lockstep.kinds.a.parent=a|form a cycle: a in a|lockstep.kinds.a.parent",
                "lockstep.kinds.a.rank=-1| |has rank -1|lockstep.kinds",
                "lockstep.kinds.a.rank=3|lockstep.kinds.b.rank=3|both have rank 3|lockstep.kinds",
                "lockstep.kinds.user.rank=4|TENANCY|'user' is declared in two ways|in one place",
                "lockstep.kinds.x.rank=1|TENANCY|both have rank 1|lockstep.kinds",
                "lockstep.kinds-from=java.lang.String| |java.lang.String, which is no enum|implements LockKind",
                "lockstep.kinds-from=java.lang.Thread.State| |no enum|implements LockKind"
            })
    @DisplayName("kinds that can't be used are refused with what to write")
    void refused(String first, String second, String description, String action) {
        String more = second == null ? "x.y=z" : second.replace("TENANCY", TENANCY);
        application(first.replace("Thread.State", "Thread$State"), more).run(context -> {
            assertThat(Applications.refusal(context).description()).contains(description);
            assertThat(Applications.refusal(context).action()).contains(action);
        });
    }

    @Test
    @DisplayName("a rank that is not above the parent's, and a circle of two, are refused")
    void rankAndCircle() {
        application("lockstep.kinds.u.rank=3", "lockstep.kinds.a.rank=2", "lockstep.kinds.a.parent=u")
                .run(context -> assertThat(Applications.refusal(context).description())
                        .contains("'a' has rank 2", "parent 'u' with rank 3", "Give it a rank of 4 or more"));
        application(
                        "lockstep.kinds.a.rank=1",
                        "lockstep.kinds.a.parent=b",
                        "lockstep.kinds.b.rank=2",
                        "lockstep.kinds.b.parent=a")
                .run(context ->
                        assertThat(Applications.refusal(context).description()).contains("form a cycle: a in b in a"));
    }

    @Test
    @DisplayName("a bean of the application's takes the place of properties, unless they say something else")
    void bean() {
        application()
                .withBean(Kinds.class, () -> Kinds.of(Tenancy.values()))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Kinds.class));
        application(TENANCY)
                .withBean(Kinds.class, () -> Kinds.of(Tenancy.values()))
                .run(context -> assertThat(context).hasNotFailed());
        application("lockstep.kinds.item.rank=4")
                .withBean(Kinds.class, () -> Kinds.of(Tenancy.values()))
                .run(context -> assertThat(Applications.refusal(context).description())
                        .contains("bean of type Kinds", "item (rank 4"));
    }
}
