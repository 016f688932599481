package dev.lockstep.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.spring.Locked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** What tests put in the place of a bean with locked methods needs no proxy. */
@Tag("once")
@SpringJUnitConfig({
    MemoryLocks.class,
    LockedTestDoublesTest.Mocked.class,
    LockedTestDoublesTest.Replaced.class,
    LockedTestDoublesTest.Real.class
})
class LockedTestDoublesTest {
    static class Mocked {
        @Locked("user:u1")
        public String call() {
            return "real";
        }
    }

    static class Replaced {
        @Locked("user:u1")
        public String call() {
            return "real";
        }
    }

    static class Real {
        @Locked("user:u1")
        public String call() {
            return "real";
        }
    }

    @MockitoBean
    Mocked mocked;

    @TestBean
    Replaced replaced;

    @Autowired
    Real real;

    static Replaced replaced() {
        return new Replaced() {
            @Override
            public String call() {
                return "replaced";
            }
        };
    }

    @Test
    void theContextStarts() {
        Mockito.when(mocked.call()).thenReturn("mocked");
        assertThat(mocked.call()).isEqualTo("mocked");
        assertThat(replaced.call()).isEqualTo("replaced");
        assertThat(real.call()).isEqualTo("real");
    }
}
