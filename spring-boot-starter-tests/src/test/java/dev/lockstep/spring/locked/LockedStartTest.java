package dev.lockstep.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.Locks;
import dev.lockstep.spring.Locked;
import dev.lockstep.spring.LockstepStartException;
import dev.lockstep.testkit.Tenancy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.PriorityOrdered;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** Mistakes in locked methods fail the start, of lazy beans too, and say what to write. */
@Tag("once")
@SuppressWarnings({"UnusedMethod", "ClassCanBeStatic"})
class LockedStartTest {
    static class NoKey {
        @Locked
        public void call() {}
    }

    static class EmptyKey {
        @Locked("")
        public void call() {}
    }

    static class UnknownKind {
        @Locked("usr:#{#u}")
        public void call(String u) {}
    }

    static class WrongParent {
        @Locked("user:#{#u}/resource:r")
        public void call(String u) {}
    }

    static class NoParent {
        @Locked(shared = "account:#{#a}")
        public void call(String a) {}
    }

    static class ParentOfTop {
        @Locked("user:u/user:#{#u}")
        public void call(String u) {}
    }

    static class KindMissing {
        @Locked("#{#u}")
        public void call(String u) {}
    }

    static class KindForgotten {
        @Locked("user")
        public void call() {}
    }

    static class IdMissing {
        @Locked("user:/account:a")
        public void call() {}
    }

    static class ColonInId {
        @Locked("user:a:b")
        public void call() {}
    }

    static class PercentInId {
        @Locked("user:a%2F")
        public void call() {}
    }

    static class ArgumentWithoutBraces {
        @Locked("user:#user/account:a")
        public void call(String user) {}
    }

    static class PathWithoutBraces {
        @Locked(shared = "user:u-#order.user")
        public void call(String order) {}
    }

    static class ArgumentInBraces {
        @Locked("user:{user}")
        public void call(String user) {}
    }

    static class BracesWithoutArgument {
        @Locked("user:{id}")
        public void call(String user) {}
    }

    static class BracesWithoutArguments {
        @Locked("user:{it's}")
        public void call() {}
    }

    static class BraceLeftOver {
        @Locked("user:#{#user}}")
        public void call(String user) {}
    }

    static class DollarWithoutBraces {
        @Locked("user:$user")
        public void call(String user) {}
    }

    static class ArgumentAsProperty {
        @Locked("user:${user:u}")
        public void call(String user) {}
    }

    static class ArgumentAsNestedProperty {
        @Locked("user:${users.${user:u}:u}")
        public void call(String user) {}
    }

    static class ExpressionInProperty {
        @Locked("user:${nobody.set.this:{user.id}}")
        public void call(String user) {}
    }

    static class ExpressionInOwner {
        @Locked(value = "user:u", owner = "close-#{#user}")
        public void call(String user) {}
    }

    static class BadExpression {
        @Locked("user:#{#u +}")
        public void call(String u) {}
    }

    static class OpenExpression {
        @Locked("user:#{#u")
        public void call(String u) {}
    }

    static class UnknownArgument {
        @Locked("user:#{#id.length() > 0 ? #id : #user}")
        public void call(String id, String name) {}
    }

    static class NumberSignForgotten {
        @Locked("user:#{user}")
        public void call(String user) {}
    }

    static class NumberSignForgottenInCall {
        @Locked("user:#{#user.concat(order.id)}")
        public void call(String user) {}
    }

    static class NumberTooHigh {
        @Locked("user:#{#p1}")
        public void call(String id) {}
    }

    static class NoArguments {
        @Locked("user:#{#id}")
        public void call() {}
    }

    static class Function {
        @Locked("user:#{#hash(#id)}")
        public void call(String id) {}
    }

    static class AnswerOfABean {
        @Locked("user:#{@users.find(#id)}")
        public void call(String id) {}
    }

    static class UnsetProperty {
        @Locked("user:${nobody.set.this}")
        public void call() {}
    }

    static class BadWait {
        @Locked(value = "user:u", within = "soon")
        public void call() {}
    }

    static class WaitWithoutUnit {
        @Locked(value = "user:u", within = "2")
        public void call() {}
    }

    static class NegativeWait {
        @Locked(value = "user:u", within = "-2s")
        public void call() {}
    }

    static class UnsetWait {
        @Locked(value = "user:u", within = "${nobody.set.this}")
        public void call() {}
    }

    static class WaitByProperty {
        @Locked(value = "user:u", within = "${nobody.set.this:later}")
        public void call() {}
    }

    static class NoHold {
        @Locked(value = "user:u", atMost = "0s")
        public void call() {}
    }

    static class Private {
        @Locked("user:u")
        private void call() {}
    }

    static class Static {
        @Locked("user:u")
        public static void call() {}
    }

    static class Final {
        @Locked("user:u")
        public final void call() {}
    }

    @Locked("user:u")
    static class FinalOfClass {
        public final void call() {}
    }

    static final class FinalClass {
        @Locked("user:u")
        public void call() {}
    }

    interface Port {
        void use();
    }

    static class NotInPort implements Port {
        @Override
        public void use() {}

        @Locked("user:u")
        public void call() {}
    }

    static class PlainFuture {
        @Locked("user:u")
        public Future<String> call() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class OwnFuture extends CompletableFuture<String> {}

    static class StrangeFuture {
        @Locked("user:u")
        public OwnFuture call() {
            return new OwnFuture();
        }
    }

    static class Reactive {
        @Locked(value = "user:u", atLeast = "1s")
        public Publisher<String> call() {
            return subscriber -> {};
        }
    }

    static class SkippedWithResult {
        @Locked(value = "user:u", ifBusy = Locked.IfBusy.SKIP)
        public int call() {
            return 1;
        }
    }

    static class LongerThanMost {
        @Locked(value = "user:u", atLeast = "2s", atMost = "1s")
        public void call() {}
    }

    static class MissingFallback {
        @Locked(value = "user:u", fallback = "other")
        public String call(String user) {
            return user;
        }

        String other() {
            return "";
        }
    }

    static class ReactiveOfTheJdk {
        @Locked("user:u")
        public Flow.Publisher<String> call() {
            return subscriber -> {};
        }
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of(NoKey.class, "call(): it names no key. Write one, such as @Locked(\"user:#{#userId}\")."),
                Arguments.of(EmptyKey.class, "call(), key '': the key is empty. Write one such as 'user:#{#userId}'."),
                Arguments.of(
                        UnknownKind.class,
                        "call(String), key 'usr:#{#u}': there is no kind 'usr'. Known are: user, account, resource."),
                Arguments.of(
                        WrongParent.class,
                        "call(String), key 'user:#{#u}/resource:r': 'resource' stands below 'user'. Write 'user:…/account:…/resource:…'."),
                Arguments.of(
                        NoParent.class,
                        "call(String), key 'account:#{#a}': 'account' stands at the top. Write 'user:…/account:…'."),
                Arguments.of(
                        ParentOfTop.class,
                        "call(String), key 'user:u/user:#{#u}': 'user' stands below 'user'. Write 'user:…'."),
                Arguments.of(
                        KindMissing.class,
                        "call(String), key '#{#u}': an expression or a property stands where a kind must be written out."),
                Arguments.of(KindForgotten.class, "call(), key 'user': 'user' has no kind. Write 'kind:id', such as"),
                Arguments.of(
                        IdMissing.class,
                        "call(), key 'user:/account:a': 'user:' has no id. Write one, such as 'user:#{#id}'."),
                Arguments.of(ColonInId.class, "call(), key 'user:a:b': there is a ':' in the id 'a'. Write a '/'"),
                Arguments.of(
                        PercentInId.class, "call(), key 'user:a%2F': there is a '%' in the id 'a%2F'. Write #{'…'}"),
                Arguments.of(
                        ArgumentWithoutBraces.class,
                        "key 'user:#user/account:a': '#user' is fixed text here, the same for every call. Write #{#user} for the"
                                + " argument, or #{'#user'} for the text."),
                Arguments.of(
                        PathWithoutBraces.class,
                        "'u-#order.user' is fixed text here, the same for every call. Write #{#order.user} for the argument,"
                                + " or #{'u-#order.user'} for the text."),
                Arguments.of(
                        ArgumentInBraces.class,
                        "'{user}' is fixed text here, the same for every call. Write #{#user} for the argument, or"
                                + " #{'{user}'} for the text."),
                Arguments.of(
                        BracesWithoutArgument.class,
                        "'{id}' is fixed text here, the same for every call. Write #{#user} for the argument,"),
                Arguments.of(
                        BracesWithoutArguments.class,
                        "'{it's}' is fixed text here, the same for every call. Write #{'{it''s}'} for the text."),
                Arguments.of(BraceLeftOver.class, "'}' is fixed text here, the same for every call."),
                Arguments.of(DollarWithoutBraces.class, "'$user' is fixed text here, the same for every call."),
                Arguments.of(
                        ArgumentAsProperty.class,
                        "${user:u} is a property, the same for every call, and the method has an argument of that name. Write"
                                + " #{#user} for the argument, or rename one of them."),
                Arguments.of(
                        ArgumentAsNestedProperty.class,
                        "${users.${user:u}:u} is a property, the same for every call, and the method has an argument"),
                Arguments.of(
                        ExpressionInProperty.class,
                        "the property ${nobody.set.this:{user.id}} is '{user.id}', which is fixed text here, the same for"
                                + " every call. Write the expression into the key, and a text into the property."),
                Arguments.of(
                        ExpressionInOwner.class,
                        "call(String): owner = \"close-#{#user}\" is a fixed text and takes no expression. Write a text,"
                                + " such as \"close-account\"."),
                Arguments.of(BadExpression.class, "call(String), key 'user:#{#u +}': an expression can't be read: "),
                Arguments.of(OpenExpression.class, "call(String), key 'user:#{#u': an expression can't be read: "),
                Arguments.of(UnknownArgument.class, "the method has no argument #user. Its arguments are: #id, #name."),
                Arguments.of(
                        NumberSignForgotten.class,
                        "'user' is neither an argument, which begins with '#', nor one of [target, methodName, args]. Write"
                                + " #{#user} for the argument, or #{'user'} for the text."),
                Arguments.of(NumberSignForgottenInCall.class, "'order' is neither an argument,"),
                Arguments.of(NumberTooHigh.class, "the method has no argument #p1. Its arguments are: #id."),
                Arguments.of(
                        NoArguments.class, "the method has no argument #id. It has none at all. Write a fixed id."),
                Arguments.of(Function.class, "there is no function #hash(#id). Call a method of an argument instead."),
                Arguments.of(
                        AnswerOfABean.class,
                        "@users is a bean, which a key can't ask. Hand its answer in as an argument."),
                Arguments.of(
                        UnsetProperty.class,
                        "the property ${nobody.set.this} is not set. Set it, or write a default as ${name:default}."),
                Arguments.of(
                        BadWait.class,
                        "call(): within = \"soon\" is no duration. Write it as \"500ms\", \"2s\" or \"PT2S\"."),
                Arguments.of(
                        WaitWithoutUnit.class, "call(): within = \"2\" has no unit. Write it as \"500ms\", \"2s\""),
                Arguments.of(NegativeWait.class, "call(): within = \"-2s\" is negative. Write a time of zero or more"),
                Arguments.of(
                        UnsetWait.class,
                        "call(): within = \"${nobody.set.this}\" names a property that is not set. Set it, or write"),
                Arguments.of(
                        WaitByProperty.class,
                        "call(): within = \"${nobody.set.this:later}\", which is \"later\", is no duration."),
                Arguments.of(NoHold.class, "call(): atMost = \"0s\" is no time at all. Write how long, such as"),
                Arguments.of(
                        Private.class,
                        "call(): it is private, so no proxy can put locks around it. Make it a public method"),
                Arguments.of(Static.class, "call(): it is static, so no proxy can put locks around it."),
                Arguments.of(Final.class, "call(): it is final, so no proxy can put locks around it."),
                Arguments.of(FinalOfClass.class, "call(): it is final, so no proxy can put locks around it."),
                Arguments.of(FinalClass.class, "call(): its class is final, so no proxy can be made of it. Leave out"),
                Arguments.of(
                        NotInPort.class,
                        "call(): the bean's proxy is made of its interfaces, and none of them has this method. Add it to an"
                                + " interface, or set spring.aop.proxy-target-class=true."),
                Arguments.of(
                        PlainFuture.class,
                        "call(): it returns a java.util.concurrent.Future, which doesn't tell when it is done. Return a"
                                + " CompletableFuture or a CompletionStage,"),
                Arguments.of(
                        StrangeFuture.class,
                        "and callers get a future of Lockstep's own in its place. Declare a CompletableFuture or a"),
                Arguments.of(
                        Reactive.class,
                        "call(): it returns a publisher, and fallback and atLeast are for methods that block."),
                Arguments.of(
                        SkippedWithResult.class,
                        "call(): it returns a int, and a call that is skipped has no result. Return nothing or an Optional"),
                Arguments.of(
                        LongerThanMost.class,
                        "call(): atLeast = \"2s\" is longer than atMost = \"1s\". Write an atMost"),
                Arguments.of(
                        MissingFallback.class,
                        "call(String): its fallback 'other' is missing or doesn't fit. Write String other with the same"),
                Arguments.of(
                        ReactiveOfTheJdk.class, "call(): it returns a java.util.concurrent.Flow$Publisher, whose"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    <T> void aMistakeInALazyBeanFailsTheStart(Class<T> type, String message) {
        assertStartFails(
                context -> context.registerBean(type, definition -> definition.setLazyInit(true)),
                "@Locked on " + type.getName() + ".",
                message);
    }

    private interface Setup {
        void register(AnnotationConfigApplicationContext context);
    }

    private static void assertStartFails(Setup setup, String... messages) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(MemoryLocks.class);
            setup.register(context);
            assertThatThrownBy(context::refresh)
                    .isInstanceOf(LockstepStartException.class)
                    .satisfies(e -> assertThat(e).hasMessageContainingAll(messages));
        }
    }

    @Test
    void allMistakesAreReportedAtOnceAlsoThoseOfPrototypes() {
        assertStartFails(
                context -> {
                    context.registerBean(NoKey.class);
                    context.registerBean(
                            UnknownKind.class, definition -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE));
                },
                "it names no key",
                "there is no kind 'usr'");
    }

    @Test
    void goodBeansStart() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(MemoryLocks.class, Good.class);
            context.refresh();
            assertThat(context.getBean(Good.class).call("u")).isEqualTo("u");
        }
    }

    static class Good {
        @Locked(value = "user:#{#u}", within = "${nobody.set.this:2s}")
        public String call(String u) {
            return u;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class HiddenByAnInterface {
        @Bean
        @Lazy
        Supplier<String> supplier() {
            return new BadSupplier();
        }
    }

    static class BadSupplier implements Supplier<String> {
        @Override
        @Locked("nothing:n")
        public String get() {
            return "";
        }
    }

    @Test
    void aTypeThatWasUnknownAtTheStartIsCheckedWhenTheBeanIsMade() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(MemoryLocks.class, HiddenByAnInterface.class);
            context.refresh();
            assertThatThrownBy(() -> context.getBean("supplier"))
                    .rootCause()
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("BadSupplier.get(), key 'nothing:n': there is no kind 'nothing'.");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 100)
    static class TransactionsFirst {}

    @Test
    void transactionsThatWouldBeginBeforeTheLocksFailTheStart() {
        assertStartFails(
                context -> context.register(TransactionsFirst.class, Good.class),
                "Transactions begin before locks are acquired: the advisor"
                        + " 'org.springframework.transaction.config.internalTransactionAdvisor' has order 100, and @Locked has "
                        + LockedAdvisor.ORDER,
                "Leave out the order of @EnableTransactionManagement or write one above " + LockedAdvisor.ORDER
                        + ", or write a lower lockstep.locked.order.");
    }

    @Test
    void theOrderOfTransactionsDoesNotMatterWhereNothingIsLocked() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(MemoryLocks.class, TransactionsFirst.class);
            context.refresh();
            assertThat(context.isActive()).isTrue();
        }
    }

    static class Early implements BeanPostProcessor, PriorityOrdered {
        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TooEarly {
        @Bean
        static Early early(Good good) {
            assertThat(good).isNotNull();
            return new Early();
        }
    }

    @Test
    void aBeanThatWasMadeTooEarlyForAProxyFailsTheStart() {
        assertStartFails(
                context -> context.register(TooEarly.class, Good.class),
                "@Locked on methods of " + Good.class.getName() + ": the bean '",
                "has no proxy that could lock");
    }

    @Configuration(proxyBeanMethods = false)
    @Import(LockedConfiguration.class)
    static class WithoutLocks {
        @Bean
        Kinds kinds() {
            return Kinds.of(Tenancy.values());
        }
    }

    @Test
    void lockedMethodsWithoutLocksFailTheStart() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(WithoutLocks.class, Good.class);
            assertThatThrownBy(context::refresh)
                    .isInstanceOf(LockstepStartException.class)
                    .hasMessageContaining("there is no bean of type " + Locks.class.getName());
        }
    }

    @Test
    void namesThatWereNotCompiledInAreAskedFor() {
        ArgumentNames names = new ArgumentNames(NamelessMethod.make());
        SpelExpression expression = (SpelExpression) new SpelExpressionParser().parseExpression("#id");
        assertThatThrownBy(() -> names.check(
                        expression,
                        (what, instead) -> new InvalidRequestException(
                                List.of(what, instead).toString())))
                .hasMessageContaining("since its class was compiled without them")
                .hasMessageContaining("Compile with -parameters, or write #p0 for the first argument.");
    }
}
