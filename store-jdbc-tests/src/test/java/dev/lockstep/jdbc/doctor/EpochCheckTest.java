package dev.lockstep.jdbc.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Facts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EpochCheckTest {
    private static Diagnosis judge(Map<String, String> facts) {
        return new Diagnosis(EpochCheck.judge(new Facts(facts)));
    }

    @ParameterizedTest
    @CsvSource({"1,ON,1,0", "1,OFF,0,0", "2,OFF,0,1", "0,ON,1,1", "1,ON,0,1", "2,ON,100,2"})
    void innoDbMustFlushAtEachCommitAndItsBinaryLogToo(String flush, String log, String sync, int warnings) {
        Diagnosis diagnosis =
                judge(Map.of("innodb_flush_log_at_trx_commit", flush, "log_bin", log, "sync_binlog", sync));
        assertThat(diagnosis.errors()).isEmpty();
        assertThat(diagnosis.warnings()).hasSize(warnings);
    }

    @Test
    void postgresMustFlush() {
        assertThat(judge(Map.of("fsync", "on")).warnings()).isEmpty();
        assertThat(judge(Map.of("fsync", "off")).warnings()).hasSize(1);
        assertThat(List.copyOf(judge(Map.of("fsync", "off")).warnings()).toString())
                .contains("lockstep_epochs");
    }
}
