package dev.lockstep.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What runs after a step. */
class AfterwardsTest {
    @Test
    @DisplayName("tasks that come during one step all run, once each and in order")
    void severalTasks() {
        List<String> ran = new ArrayList<>();
        Afterwards afterwards = new Afterwards();
        afterwards.add(() -> ran.add("one"));
        afterwards.add(() -> ran.add("two"));
        afterwards.run();
        afterwards.run();
        assertThat(ran).containsExactly("one", "two");
    }
}
