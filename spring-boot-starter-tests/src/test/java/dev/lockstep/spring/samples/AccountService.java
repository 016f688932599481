package dev.lockstep.spring.samples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.spring.samples.Tenancy.ACCOUNT;
import static dev.lockstep.spring.samples.Tenancy.USER;

import dev.lockstep.core.Locks;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Service;

/** Closes accounts, one request at a time for each. */
// tag::spring-service
@Service
class AccountService {
    private final Locks locks;

    AccountService(Locks locks) {
        this.locks = locks;
    }

    void close(String user, String account) {
        locks.run(exclusive(USER.key(user).child(ACCOUNT, account)), lease -> end(account));
    }
    // end::spring-service

    private final Set<String> ended = ConcurrentHashMap.newKeySet();

    private void end(String account) {
        ended.add(account);
    }

    boolean isClosed(String account) {
        return ended.contains(account);
    }
}
