import { fault, ProjectLockError } from './errors.js';
import { LONGEST_TERM_MS } from './options.js';
import { formatFence, formatRecord, nextFence, parseFence, parseRecord } from './record.js';
import { judge, Observation } from './verdict.js';

const RECORD = '.lock';
const FENCE = '.lock.fence';

/**
 * The lease record `.lock` and what is known beyond it, `.lock.fence`.
 *
 * Every look at it and every change is one transaction under the guard: read, decide, write the fence, then the record.
 * Writing the record is the commit. A crash before it leaves a fence that belongs to no record, and so says nothing.
 */
export class LeaseFile {
  #files;
  #clock;
  #seen = new Observation();

  constructor(files, clock) {
    this.#files = files;
    this.#clock = clock;
  }

  /** Takes the record if it is free. Answers the fence of the grant; or until when it is held, and by which grant with a Web Lock. */
  take(claim) {
    return this.#transaction(async ({ record, fence, fingerprint }) => {
      const time = { now: this.#clock.now(), unchangedMs: this.#seen.unchangedMs(fingerprint, this.#clock.monotonic()) };
      const verdict = judge(record, fence, claim, time);
      if (!verdict.free) {
        if (verdict.unreadable) {
          throw unreadable(verdict.unreadable);
        }
        return { taken: false, expiresAt: verdict.expiresAt, webLockFence: verdict.webLockFence };
      }
      const granted = { ...claim, fence: nextFence(fence, time.now) };
      await this.#publish(granted);
      return { taken: true, fence: granted.fence, replaced: verdict.unreadable };
    });
  }

  /** Says that the holder, who won by the record alone, has the Web Lock now. Returns whether it still is the holder. */
  promote({ leaseId, fence, termMs }) {
    return this.#transaction(async (found) => {
      if (found.record.leaseId !== leaseId || found.fence?.fence !== fence) {
        return false;
      }
      await this.#files.write(FENCE, formatFence({ fence, leaseId, source: 'web-lock', termMs }));
      return true;
    });
  }

  /** Moves the end of a lease. Returns "renewed", "expired", or "lost" when another holder was granted it. */
  renew(lease) {
    return this.#transaction(async (found) => {
      if (!isMine(found, lease)) {
        return 'lost';
      }
      if (found.record.kind === 'lease' && found.record.expiresAt <= this.#clock.now()) {
        return 'expired';
      }
      const termMs = Math.min(Math.max(lease.termMs, this.#leftOf(found.record)), LONGEST_TERM_MS);
      await this.#publish({ ...lease, termMs });
      return 'renewed';
    });
  }

  /** Deletes the record if it is the lease's. Returns whether the lease was still the last one granted. */
  release(lease) {
    return this.#transaction(async (found) => {
      if (found.record.leaseId === lease.leaseId) {
        await this.#files.remove(RECORD);
      }
      return isMine(found, lease);
    });
  }

  /** Whether the lease still is the last one granted. */
  check(lease) {
    return this.#transaction((found) => isMine(found, lease));
  }

  async #publish(lease) {
    await this.#files.write(FENCE, formatFence(lease));
    await this.#files.write(RECORD, formatRecord(lease));
  }

  /** What is left of the lease that is being renewed: if the record can't be written after the fence, that lease continues. */
  #leftOf(record) {
    return record.kind === 'lease' ? record.expiresAt - this.#clock.now() : 0;
  }

  #transaction(decide) {
    return this.#files.underGuard(async () => {
      const record = parseRecord(await this.#read(RECORD));
      const known = await this.#read(FENCE);
      const fingerprint = `${record.fingerprint} ${known.fingerprint}`;
      try {
        return await decide({ record, fence: parseFence(known), fingerprint });
      } catch (error) {
        throw error instanceof ProjectLockError ? error : notWritten(error);
      }
    });
  }

  async #read(name) {
    try {
      return await this.#files.read(name);
    } catch (error) {
      if (error instanceof ProjectLockError) {
        throw error;
      }
      throw fault('fallback-read-failed', `project/${name} could not be read. It is tried again.`, error);
    }
  }
}

/** A record that was removed by hand is still the lease's, as long as no other was granted one. */
function isMine({ record, fence }, lease) {
  const recordIsMine = record.kind === 'none' || record.leaseId === lease.leaseId;
  return recordIsMine && fence?.leaseId === lease.leaseId && fence.fence === lease.fence;
}

function unreadable(why) {
  return fault(
    'fallback-read-failed',
    `project/${RECORD} can't be read as a lease: ${why}. It counts as held until it has been unchanged for one term, ` +
      'and is then replaced.',
  );
}

function notWritten(error) {
  return fault(
    'fallback-write-failed',
    `project/${RECORD} could not be changed (${error.name}). Is there room left in the origin's storage?`,
    error,
  );
}
