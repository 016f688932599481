package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The state machine. */
@UsesChromium
class StatesTest {
    @Test
    @DisplayName("From each state there are the ways of the diagram, and no other")
    void ways(Tabs tabs) {
        Object seen = tabs.open().run("""
                        const { Idle } = await import('/lockstep/project-lock/states.js');
                        const lines = [];
                        const known = new Set();
                        const follow = (state) => {
                          if (known.has(state.name)) return;
                          known.add(state.name);
                          for (const way of Object.keys(state).filter((key) => key !== 'name')) {
                            const next = state[way]();
                            lines.push(state.name + ' ' + way + ' ' + next.name);
                            follow(next);
                          }
                        };
                        follow(new Idle());
                        return lines.sort();
                        """);
        assertThat(seen)
                .isEqualTo(List.of(
                        "backing-off fail faulted",
                        "backing-off retry requesting-web",
                        "faulted cleaned idle",
                        "holding-fallback expire releasing",
                        "holding-fallback release releasing",
                        "holding-fallback renew renewing",
                        "holding-web expire releasing",
                        "holding-web release releasing",
                        "holding-web renew renewing",
                        "idle acquire requesting-web",
                        "releasing cleaned idle",
                        "releasing fail faulted",
                        "renewing expire releasing",
                        "renewing failed holding-web",
                        "renewing renewed holding-web",
                        "requesting-web backOff backing-off",
                        "requesting-web fail faulted",
                        "requesting-web granted holding-web",
                        "requesting-web unavailable switching-fallback",
                        "switching-fallback backOff backing-off",
                        "switching-fallback fail faulted",
                        "switching-fallback granted holding-fallback"));
    }
}
