import { Acquisition } from './acquisition.js';
import { fault } from './errors.js';
import { Holding } from './holding.js';
import { acquireOptions, releaseOptions, renewOptions, TERM_MS, workOf } from './options.js';
import { Machine } from './states.js';

/**
 * One holder of the project lock: a tab, or a frame.
 *
 * It is made of parts: `webLocks` and `leaseFile` say who holds the lock, `clock` how late it is, and `events` reports it.
 */
export class ProjectLock {
  #parts;
  #onState;
  #machine = new Machine();
  #holding;

  constructor({ webLocks, leaseFile, clock, events, termMs = TERM_MS, onState = () => {} }) {
    this.#parts = { webLocks, leaseFile, clock, events, termMs };
    this.#onState = onState;
  }

  async acquire(given) {
    const options = acquireOptions(given);
    this.#refuseReentry();
    const machine = this.#startMachine();
    const holding = new Holding(this.#parts, machine, await this.#grant(machine, options));
    this.#holding = holding;
    this.#parts.events.emit({ type: 'acquired', lease: holding.lease });
    holding.watch();
    return { lease: holding.lease, didFallback: holding.lease.source === 'opfs-lock' };
  }

  async renew(given) {
    const { leaseId, extendByMs } = renewOptions(given);
    return this.#heldAs(leaseId).renew(extendByMs);
  }

  async release(given) {
    const { leaseId } = releaseOptions(given);
    const left = this.#holding?.lease.leaseId === leaseId && this.#holding.isRecordLeft ? this.#holding : undefined;
    await (left ?? this.#heldAs(leaseId, 'release-failed')).release();
  }

  async with(given, work) {
    workOf(work);
    const { lease } = await this.acquire(given);
    const stopRenewing = this.#keepRenewing(this.#holding);
    let result;
    try {
      result = await work(lease);
    } catch (error) {
      stopRenewing();
      await this.#finish(lease, 'aborted').catch(() => {}); // events and log have told; the work's error is the caller's
      throw error;
    }
    stopRenewing();
    await this.#finish(lease, 'completed');
    return result;
  }

  subscribe(listener) {
    return this.#parts.events.subscribe(listener);
  }

  /** To be called when the tab may have been frozen or asleep. */
  revalidate() {
    return this.#holding?.revalidate() ?? Promise.resolve();
  }

  get state() {
    return this.#machine.state.name;
  }

  /** A hold that is still cleaning up has its own machine, and no say in the state any more. */
  #startMachine() {
    const machine = new Machine((state) => {
      if (machine === this.#machine) {
        this.#onState(state);
      }
    });
    this.#machine = machine;
    this.#holding = undefined;
    return machine;
  }

  async #grant(machine, options) {
    const acquisition = new Acquisition(this.#parts, machine, options);
    try {
      return await acquisition.run();
    } catch (error) {
      this.#parts.events.emit({ type: 'acquire-failed', error, attempt: acquisition.attempts });
      throw error;
    }
  }

  #refuseReentry() {
    if (this.#machine.isInUse) {
      const message = 'This tab already holds the project lock or is acquiring it. Use the lease it has, or release it first.';
      const error = fault('lease-mismatch', message);
      this.#parts.events.emit({ type: 'acquire-failed', error, attempt: 1 });
      throw error;
    }
  }

  #heldAs(leaseId, failure) {
    if (this.#holding?.lease.leaseId === leaseId && !this.#holding.isReleased) {
      return this.#holding;
    }
    const error = fault('lease-mismatch', 'This tab does not hold that lease. Use the one that acquireProjectLock gave last.');
    if (failure) {
      this.#parts.events.emit({ type: failure, error });
    } else {
      this.#parts.events.report(error, 'renewing');
    }
    throw error;
  }

  /** Renews at a third of the term, so that two renewals may fail. Answers a function that stops. */
  #keepRenewing(holding) {
    const { clock, termMs } = this.#parts;
    let cancel;
    let isStopped = false;
    const renewLater = () => {
      cancel = clock.alarm(termMs / 3, async () => {
        await holding.renew(termMs).catch(() => {}); // logged; a lost lease is found at the end
        if (!isStopped && !holding.isOver) {
          renewLater();
        }
      });
    };
    renewLater();
    return () => {
      isStopped = true;
      cancel();
    };
  }

  /** Releases after the work. A record that can't be deleted is in the log and the events: the work is done all the same. */
  async #finish(lease, reason) {
    try {
      await this.release({ lease, reason });
    } catch (error) {
      if (error.code !== 'fallback-write-failed') {
        throw fault('lease-expired', 'The lease was lost while the work ran. Others may have worked at the same time.', error);
      }
    }
  }
}
