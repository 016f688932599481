package dev.lockstep.benchmarks.inventory;

import dev.lockstep.benchmarks.inventory.Seller.Answer;
import dev.lockstep.benchmarks.measure.WaitTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How one turn went.
 *
 * @param perSecond accepted reservations in each part of the measured time, for each second of it
 * @param latencies how long the requests took that began in the measured time, whatever their answer
 * @param gaveUp how many of those were not had
 * @param answers all answers, also those before and after the measured time
 */
record Sales(List<Double> perSecond, WaitTimes latencies, long gaveUp, Map<Answer, Long> answers) {
    /** What all clients of a turn got, the measured time of which has equal parts. */
    static Sales of(List<Receipts> receipts, Duration time, int parts) {
        long nanos = time.toNanos();
        long[] had = new long[parts];
        long[] gaveUp = {0};
        List<Long> latencies = new ArrayList<>();
        Map<Answer, Long> answers = new EnumMap<>(Answer.class);
        receipts.forEach(client -> client.forEach((began, ended, answer) -> {
            answers.merge(answer, 1L, Long::sum);
            if (answer == Answer.RESERVED && ended >= 0 && ended < nanos) {
                had[(int) (ended * parts / nanos)]++;
            }
            if (began >= 0 && began < nanos) {
                latencies.add(ended - began);
                gaveUp[0] += answer == Answer.RESERVED ? 0 : 1;
            }
        }));
        List<Double> perSecond = new ArrayList<>();
        for (long count : had) {
            perSecond.add(count * parts * 1e9 / nanos);
        }
        WaitTimes waits = new WaitTimes();
        waits.addAll(latencies);
        return new Sales(perSecond, waits, gaveUp[0], answers);
    }

    /** Reservations for each second of the whole measured time. */
    double rate() {
        return perSecond.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    /** In milliseconds; not a number when no request began in the measured time. */
    double percentile(double percent) {
        return latencies.count() == 0 ? Double.NaN : latencies.percentile(percent);
    }

    long count(Answer answer) {
        return answers.getOrDefault(answer, 0L);
    }
}
