import { fault } from './errors.js';

/** A clock that was set is noticed within this time, even without a call. */
const LONGEST_WATCH_MS = 1000;

/** A lease in hand, until it is released or its end comes. */
export class Holding {
  #parts;
  #machine;
  #fence;
  #deadline;
  #termMs;
  #webLock;
  #cancelWatch = () => {};
  #turn = Promise.resolve();
  #cleanup = Promise.resolve();

  lease;
  isOver = false;
  isReleased = false;

  /** Whether a release failed, so that the record is still there. */
  isRecordLeft = false;

  constructor(parts, machine, { lease, fence, deadline, webLock }) {
    this.#parts = parts;
    this.#machine = machine;
    this.#fence = fence;
    this.#webLock = webLock;
    this.#begin(lease, deadline, parts.termMs);
  }

  /** Reports the end in time. From now on, for the lease is unknown before it is returned. */
  watch() {
    if (this.#webLock) {
      this.#webLock.onLost = () => this.#expire(this.#expired('Another tab took the Web Lock over'));
      if (!this.#webLock.isHeld) {
        this.#webLock.onLost();
      }
    }
    this.#watchDeadline();
  }

  renew(extendByMs) {
    return this.#inTurn(async () => {
      this.#ensureInTime();
      this.#machine.go((holding) => holding.renew());
      const deadline = this.#deadline.extendedBy(extendByMs, this.#termMs);
      const termMs = deadline.wall - this.#parts.clock.now();
      const lease = { ...this.lease, expiresAt: deadline.wall };
      const answer = await this.#publish(lease, termMs);
      this.#ensureStillMine(answer);
      this.#begin(lease, deadline, termMs);
      this.#machine.go((renewing) => renewing.renewed());
      this.#parts.events.emit({ type: 'renewed', lease: this.lease });
      this.#watchDeadline();
      this.#ensureInTime();
      return this.lease;
    });
  }

  release() {
    const isRetry = this.isRecordLeft;
    this.isReleased = true;
    this.isRecordLeft = false;
    return this.#inTurn(async () => {
      if (!isRetry) {
        await this.#ensureNotTooLate();
        this.#end((holding) => holding.release());
      }
      const wasMine = await this.#removeRecord(isRetry);
      this.#webLock?.free();
      this.#machine.go((state) => state.cleaned());
      if (!wasMine && !isRetry) {
        const error = this.#expired('Another tab was granted the lock before');
        this.#parts.events.emit({ type: 'expired', lease: this.lease, error });
        throw error;
      }
      this.#parts.events.emit({ type: 'released', lease: this.lease });
    });
  }

  /** Looks at both clocks and the record: a tab that was frozen or asleep may have lost its lease without noticing. */
  revalidate() {
    if (this.#hasEnded()) {
      return Promise.resolve();
    }
    return this.#inTurn(async () => {
      if (!this.isOver && !(await this.#isStillMine())) {
        this.#expire(this.#mismatch());
      }
    });
  }

  async #isStillMine() {
    try {
      return await this.#parts.leaseFile.check({ ...this.lease, fence: this.#fence });
    } catch (error) {
      this.#parts.events.report(error, 'looking whether the lease is still held');
      return true; // not known: the clocks decide
    }
  }

  #begin(lease, deadline, termMs) {
    this.lease = Object.freeze(lease);
    this.#deadline = deadline;
    this.#termMs = termMs;
  }

  async #publish(lease, termMs) {
    const { leaseFile, events } = this.#parts;
    try {
      return await leaseFile.renew({ ...lease, fence: this.#fence, termMs });
    } catch (error) {
      if (!this.isOver) {
        this.#machine.go((renewing) => renewing.failed());
      }
      events.report(error, 'renewing');
      throw this.#hasEnded() ? this.#expired('The lease ended while it was being renewed') : error;
    }
  }

  #ensureStillMine(answer) {
    if (answer === 'lost') {
      const error = this.#mismatch();
      this.#expire(error);
      throw error;
    }
    if (answer === 'expired') {
      this.#expire(this.#expired('The lease ended before it was renewed'));
    }
    if (this.isOver) {
      this.#cleanUp(); // what was renewed too late has no holder
      throw this.#expired('The lease ended while it was being renewed');
    }
  }

  #ensureInTime() {
    if (this.#hasEnded()) {
      throw this.#expired('The lease has ended');
    }
  }

  async #ensureNotTooLate() {
    if (this.#hasEnded()) {
      await this.#cleanup;
      throw this.#expired('The lease ended before it was released');
    }
  }

  #hasEnded() {
    if (!this.isOver && this.#deadline.isOver()) {
      this.#expire(this.#expired('The lease was not renewed in time'));
    }
    return this.isOver;
  }

  #watchDeadline() {
    this.#cancelWatch();
    if (!this.#hasEnded()) {
      const delayMs = Math.min(Math.ceil(this.#deadline.remainingMs()), LONGEST_WATCH_MS);
      this.#cancelWatch = this.#parts.clock.alarm(delayMs, () => this.#watchDeadline());
    }
  }

  #expire(error) {
    if (this.isOver) {
      return;
    }
    this.#end((held) => held.expire());
    this.#webLock?.free();
    this.#cleanUp().then(() => this.#machine.go((releasing) => releasing.cleaned()));
    this.#parts.events.emit({ type: 'expired', lease: this.lease, error });
  }

  #end(way) {
    this.isOver = true;
    this.#cancelWatch();
    this.#machine.go(way);
  }

  /** Deletes the record of a lease that has ended, if it is still there. If that fails, others see that it has ended. */
  #cleanUp() {
    const { leaseFile, events } = this.#parts;
    this.#cleanup = leaseFile.release({ leaseId: this.lease.leaseId }).catch((error) => {
      events.report(error, 'cleaning up after an ended lease');
    });
    return this.#cleanup;
  }

  async #removeRecord(isRetry) {
    try {
      return await this.#parts.leaseFile.release({ ...this.lease, fence: this.#fence });
    } catch (cause) {
      this.#leaveRecord(isRetry);
      const message =
        `project/.lock could not be deleted (${cause.message}). Other tabs wait until the lease ends, or until it is ` +
        'released again.';
      const error = fault('fallback-write-failed', message, cause);
      this.#parts.events.emit({ type: 'release-failed', lease: this.lease, error });
      throw error;
    }
  }

  /** The lease is no longer used, but its record remains: only another release is accepted. */
  #leaveRecord(isRetry) {
    this.#webLock?.free();
    if (!isRetry) {
      this.#machine.go((releasing) => releasing.fail());
    }
    this.isRecordLeft = true;
  }

  #inTurn(step) {
    const result = this.#turn.then(step);
    this.#turn = result.catch(() => {});
    return result;
  }

  #expired(why) {
    return fault('lease-expired', `${why}. What it protected may have been changed by others: acquire the lock again.`);
  }

  #mismatch() {
    return fault('lease-mismatch', 'Another tab was granted the project lock: this lease has ended. Acquire the lock again.');
  }
}
