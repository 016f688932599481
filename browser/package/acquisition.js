import { Deadline } from './clock.js';
import { fault, ProjectLockError } from './errors.js';
import { delayAfter } from './options.js';
import { randomId } from './random-id.js';
import { saysUnavailable } from './web-locks.js';

/**
 * How long an attempt that is under way when the wait ends may still take. The worker may have to start first, and then waits for
 * the guard of the files for up to 2 s.
 */
const LAST_ATTEMPT_MS = 4000;

/**
 * One acquire, from the first request to a grant or an error.
 *
 * It queues for the Web Lock once and keeps its place. Meanwhile every tick of the retry policy looks at the record, because
 * a frozen tab keeps its Web Lock forever while its lease ends. The winner by the record steals the Web Lock.
 */
export class Acquisition {
  #parts;
  #machine;
  #options;
  #leaseId = randomId();

  /** How many attempts there were so far. */
  attempts = 0;

  #deadline;
  #request;
  #isFallback = false;
  #heldUntil;
  #webLockFence;
  #lastTake = Promise.resolve();
  #mayHaveRecord = false;
  #ended;
  #stopWaiting = () => {};

  constructor(parts, machine, options) {
    this.#parts = parts;
    this.#machine = machine;
    this.#options = options;
  }

  /** Resolves with the grant, or rejects; then nothing is left behind. */
  async run() {
    this.#deadline = this.#parts.clock.monotonic() + this.#options.maxWaitMs;
    this.#machine.go((idle) => idle.acquire());
    try {
      this.#limitWait();
      return await this.#untilGranted();
    } catch (error) {
      this.#giveBack();
      this.#machine.go((state) => state.fail());
      throw this.#isAborted() ? this.#abortError() : error;
    } finally {
      this.#stopWaiting();
    }
  }

  async #untilGranted() {
    for (;;) {
      this.attempts++;
      const { grant, error } = await this.#attempt();
      if (grant) {
        return grant;
      }
      await this.#backOff(error);
    }
  }

  /** One attempt: a grant, or what was in the way; nothing but another's lease if there is no error. */
  async #attempt() {
    try {
      const grant = this.#isFallback ? await this.#byRecord() : await this.#byWebLock();
      return { grant };
    } catch (error) {
      if (!error.retryable) {
        throw error;
      }
      return { error };
    }
  }

  async #byWebLock() {
    try {
      await this.#queueForWebLock();
    } catch (error) {
      return this.#withoutWebLock(error);
    }
    return this.#request.isHeld ? this.#withWebLock() : this.#aheadOfWebLock();
  }

  async #queueForWebLock() {
    const { webLocks } = this.#parts;
    if (!this.#request || this.#request.isLost) {
      this.#request = webLocks.request();
    }
    await this.#unlessEnded(Promise.race([this.#request.granted, webLocks.settled()]));
    if (this.#request.failure) {
      throw this.#request.failure;
    }
  }

  async #withoutWebLock(error) {
    if (this.#isAborted() || error instanceof ProjectLockError) {
      throw error;
    }
    this.#leaveQueue();
    const unavailable = fault('web-lock-unavailable', `Web Locks can't be used: ${error.message}`, error);
    if (!saysUnavailable(error)) {
      throw unavailable;
    }
    this.#isFallback = true;
    this.#parts.events.emit({ type: 'switch-to-fallback', error: unavailable, attempt: this.attempts });
    return this.#byRecord();
  }

  /** The Web Lock is ours. The record decides all the same: a tab without Web Locks may hold it. */
  async #withWebLock() {
    let grant;
    try {
      grant = (await this.#take('web-lock')) ?? (await this.#inheritFromDead());
    } finally {
      if (!grant) {
        this.#leaveQueue();
      }
    }
    if (grant) {
      this.#machine.go((requesting) => requesting.granted());
    }
    return grant && { ...grant, webLock: this.#request };
  }

  /**
   * The writer of the record held the Web Lock then. If we hold it now, they are dead. Now is after the record was seen: the
   * Web Lock that was granted to us before may have been stolen since, by the very tab that published the record.
   */
  async #inheritFromDead() {
    const deadFence = this.#webLockFence;
    if (deadFence === undefined) {
      return undefined;
    }
    const isSure = await this.#unlessEnded(this.#parts.webLocks.settled());
    return isSure && this.#request.isHeld ? this.#take('web-lock', { deadFence }) : undefined;
  }

  /**
   * The Web Lock is another's, and their lease may have ended. Until the Web Lock is ours the record says that we hold
   * it without: else the next in the queue for the Web Lock would take us for dead.
   */
  async #aheadOfWebLock() {
    const grant = await this.#take('opfs-lock', { isAhead: true });
    if (!grant) {
      return undefined;
    }
    await this.#stealWebLock();
    return this.#promote(grant);
  }

  async #stealWebLock() {
    const queued = this.#request;
    if (queued.isHeld) {
      return;
    }
    this.#request = this.#parts.webLocks.steal();
    try {
      await this.#unlessEnded(this.#request.granted);
    } catch (error) {
      if (error instanceof ProjectLockError) {
        throw error;
      }
      throw fault('web-lock-unavailable', `The Web Lock was not granted: ${error.message}`, error);
    } finally {
      queued.free();
    }
  }

  async #promote(grant) {
    const { leaseFile, termMs } = this.#parts;
    const { fence } = grant;
    if (!(await this.#unlessEnded(leaseFile.promote({ leaseId: this.#leaseId, fence, termMs })))) {
      this.#leaveQueue();
      return undefined;
    }
    this.#machine.go((requesting) => requesting.granted());
    return { ...grant, lease: { ...grant.lease, source: 'web-lock' }, webLock: this.#request };
  }

  async #byRecord() {
    this.#machine.go((requesting) => requesting.unavailable());
    const grant = await this.#take('opfs-lock');
    if (grant) {
      this.#machine.go((switching) => switching.granted());
    }
    return grant;
  }

  async #take(source, { deadFence, isAhead } = {}) {
    const { clock, leaseFile, termMs } = this.#parts;
    const deadline = Deadline.after(clock, termMs);
    const lease = { leaseId: this.#leaseId, expiresAt: deadline.wall, source };
    this.#mayHaveRecord = true;
    this.#lastTake = leaseFile.take({ ...lease, termMs, deadFence, isAhead });
    const answer = await this.#unlessEnded(this.#lastTake);
    this.#mayHaveRecord = answer.taken;
    this.#heldUntil = answer.expiresAt;
    this.#webLockFence = answer.webLockFence;
    if (!answer.taken) {
      return undefined;
    }
    this.#tellReplaced(answer.replaced);
    if (deadline.isOver()) {
      throw fault('fallback-write-failed', 'Publishing the lease took longer than the lease lasts. It is tried again.');
    }
    return { lease, fence: answer.fence, deadline };
  }

  #tellReplaced(why) {
    if (why) {
      const message = `project/.lock could not be read as a lease (${why}) for a whole term. It was replaced.`;
      this.#parts.events.emit({ type: 'expired', replacedRecord: true, error: fault('fallback-read-failed', message) });
    }
  }

  async #backOff(error) {
    const { clock, events } = this.#parts;
    const leftMs = this.#deadline - clock.monotonic();
    const isLast = this.attempts >= this.#options.retryPolicy.maxAttempts;
    if (leftMs <= 0 || isLast) {
      throw error ?? this.#timeout();
    }
    const delayMs = Math.min(delayAfter(this.attempts, this.#options.retryPolicy), leftMs);
    this.#machine.go((state) => state.backOff());
    events.emit({ type: 'backoff', attempt: this.attempts, delayMs, error });
    await this.#pause(delayMs);
    this.#machine.go((backingOff) => backingOff.retry());
  }

  /** Until the delay has ended or the Web Lock is granted, whatever comes first. */
  async #pause(delayMs) {
    let cancel;
    const rings = new Promise((resolve) => {
      cancel = this.#parts.clock.alarm(delayMs, resolve);
    });
    const granted = this.#request?.granted.catch(() => rings);
    try {
      await this.#unlessEnded(granted ? Promise.race([rings, granted]) : rings);
    } finally {
      cancel();
    }
  }

  #timeout() {
    const holder = this.#heldUntil
      ? `Another tab holds it until ${new Date(this.#heldUntil).toISOString()}, or longer if it renews.`
      : 'Its holder is not known.';
    return this.#timeoutError(`was not free within ${this.#options.maxWaitMs} ms and ${this.attempts} attempts. ${holder}`);
  }

  #timeoutError(why) {
    return fault('acquire-timeout', `The project lock ${why}`);
  }

  #abortError() {
    return fault('web-lock-aborted', 'The wait for the project lock was aborted.', this.#options.signal.reason);
  }

  /** Ends the wait by its signal, and by time also when the browser, the worker or the files don't respond. */
  #limitWait() {
    const { signal } = this.#options;
    if (signal?.aborted) {
      throw this.#abortError();
    }
    this.#ended = new Promise((_, reject) => {
      const abort = () => reject(this.#abortError());
      signal?.addEventListener('abort', abort);
      const cancelAlarm = this.#whenOverdue(() => reject(this.#overdue()));
      this.#stopWaiting = () => {
        signal?.removeEventListener('abort', abort);
        cancelAlarm();
      };
    });
    this.#ended.catch(() => {}); // it may end while nothing waits for it
  }

  /** An alarm may ring early: no browser has timers for months. */
  #whenOverdue(end) {
    const { clock } = this.#parts;
    let cancel = () => {};
    const watch = () => {
      const leftMs = this.#deadline + LAST_ATTEMPT_MS - clock.monotonic();
      if (leftMs <= 0) {
        end();
      } else if (leftMs < Infinity) {
        cancel = clock.alarm(leftMs, watch);
      }
    };
    watch();
    return () => cancel();
  }

  #overdue() {
    const waitedMs = this.#options.maxWaitMs + LAST_ATTEMPT_MS;
    return this.#timeoutError(`could not be acquired within ${waitedMs} ms: its worker or its files did not respond. Try again.`);
  }

  #isAborted() {
    return this.#options.signal?.aborted ?? false;
  }

  async #unlessEnded(promise) {
    const value = await Promise.race([promise, this.#ended]);
    if (this.#isAborted()) {
      await this.#ended;
    }
    return value;
  }

  #leaveQueue() {
    this.#request?.free();
    this.#request = undefined;
  }

  /** Leaves nothing behind, not even what is granted only now. In the background: an abort ends the wait at once. */
  async #giveBack() {
    const { leaseFile, events } = this.#parts;
    const request = this.#request;
    if (!request?.isHeld) {
      request?.free();
    }
    try {
      await this.#lastTake.catch(() => {});
      if (this.#mayHaveRecord) {
        await leaseFile.release({ leaseId: this.#leaseId });
      }
    } catch (error) {
      events.report(error, 'releasing a lease without a caller');
    } finally {
      request?.free();
    }
  }
}
