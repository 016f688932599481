package shop;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** An application on Lockstep's jars: sells one order under its lock. */
@SpringBootApplication
public class Shop {
    enum Thing implements LockKind {
        ORDER;

        @Override
        public String prefix() {
            return "order";
        }

        @Override
        public int rank() {
            return 1;
        }
    }

    public static void main(String[] args) {
        try (ConfigurableApplicationContext context = SpringApplication.run(Shop.class, args)) {
            Locks locks = context.getBean(Locks.class);
            locks.run(exclusive(Thing.ORDER.key("1")), lease -> System.out.println("sold " + lease.keys()));
        }
    }
}
