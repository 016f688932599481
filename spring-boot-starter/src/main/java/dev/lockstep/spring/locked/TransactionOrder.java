package dev.lockstep.spring.locked;

import java.util.ArrayList;
import java.util.List;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/** Whether locks are acquired before transactions begin, and released after they have ended. */
final class TransactionOrder {
    private TransactionOrder() {}

    static List<String> problems(ConfigurableListableBeanFactory beans) {
        List<String> problems = new ArrayList<>();
        int locked = beans.getBean(LockedAdvisor.class).getOrder();
        for (String name : beans.getBeanNamesForType(Advisor.class, false, false)) {
            Advisor advisor = beans.getBean(name, Advisor.class);
            int order = advisor instanceof Ordered ordered ? ordered.getOrder() : Ordered.LOWEST_PRECEDENCE;
            if (order <= locked && advisor.getAdvice() instanceof TransactionInterceptor) {
                problems.add(
                        "Transactions begin before locks are acquired: the advisor '" + name + "' has order " + order
                                + ", and @Locked has " + locked
                                + ". A transaction that is older than its lock may read what was there before it, and keeps a connection"
                                + " while it waits. Leave out the order of @EnableTransactionManagement or write one above "
                                + locked
                                + ", or write a lower lockstep.locked.order.");
            }
        }
        return problems;
    }
}
