package dev.lockstep.spring.locked;

import dev.lockstep.core.Lease;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Makes every transaction that begins inside a locked method depend on the method's lease, the one that begins it. */
final class CommitCheck implements TransactionExecutionListener, BeanPostProcessor {
    private final RunningLeases running;

    CommitCheck(RunningLeases running) {
        this.running = running;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager transactions
                && !transactions.getTransactionExecutionListeners().contains(this)) {
            transactions.addListener(this);
        }
        return bean;
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
        Collection<Lease> leases = running.all();
        if (failure == null && !leases.isEmpty() && TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionLeases.current().check(leases);
        }
    }
}
