package dev.lockstep.server.http;

import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Where calls that block are made, so that no event loop ever stands still. */
@Configuration(proxyBeanMethods = false)
class BlockingWork {
    private static final int PLATFORM_THREADS = 64;

    /** Virtual threads where the JDK has them. A request makes one such call at a time, so connections bound their number. */
    @Bean(destroyMethod = "dispose")
    Scheduler blocking(Environment environment) {
        return Threading.VIRTUAL.isActive(environment)
                ? Schedulers.fromExecutor(new VirtualThreadTaskExecutor("lockstep-blocking-"))
                : Schedulers.newBoundedElastic(PLATFORM_THREADS, Integer.MAX_VALUE, "lockstep-blocking");
    }
}
