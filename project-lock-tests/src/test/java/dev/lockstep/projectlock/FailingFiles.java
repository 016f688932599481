package dev.lockstep.projectlock;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Lease files of which one write fails: the first of a transaction changes the fence file, the second the record. */
record FailingFiles(LeaseFiles files, AtomicInteger writesLeft) implements LeaseFiles {
    FailingFiles(LeaseFiles files) {
        this(files, new AtomicInteger());
    }

    /** The n-th write from now on fails. */
    void failWrite(int n) {
        writesLeft.set(n);
    }

    @Override
    public <T> T transact(GuardWait wait, Transaction<T> transaction) throws IOException, GuardBusyException {
        return files.transact(wait, page -> transaction.run(new FailingPage(page)));
    }

    private final class FailingPage implements Page {
        private final Page page;

        FailingPage(Page page) {
            this.page = page;
        }

        @Override
        public Optional<String> read(String name) throws IOException {
            return page.read(name);
        }

        @Override
        public void write(String name, String text) throws IOException {
            if (writesLeft.getAndUpdate(left -> Math.max(0, left - 1)) == 1) {
                throw new IOException("No space left on device");
            }
            page.write(name, text);
        }

        @Override
        public void delete(String name) throws IOException {
            page.delete(name);
        }
    }
}
