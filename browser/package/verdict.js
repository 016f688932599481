/**
 * Who may take the record.
 *
 * - none there, or the same lease: it is free. Unless another holder has the Web Lock with it, and so a record that was removed
 *   by hand: then it is free once nothing has changed for one term.
 * - the end has come: it is free.
 * - who published it held the Web Lock, and is known to have lost it since: that holder is dead, it is free.
 * - unreadable, or ending later than any honest lease could: its end is unknown, so it is free once it has
 *   been unchanged for one term on the monotonic clock.
 * - else it is held.
 *
 * @param {object} record as parseRecord found it
 * @param {object | undefined} fence what is known beyond the record
 * @param {{leaseId: string, termMs: number, deadFence?: number, isAhead?: boolean}} claim who asks, which grant it knows to be dead,
 *   and whether another holder has the Web Lock
 * @param {{now: number, unchangedMs: number}} time the wall clock, and how long the record has been seen as it is
 */
export function judge(record, fence, claim, { now, unchangedMs }) {
  const longerTermMs = Math.max(claim.termMs, fence?.termMs ?? 0);
  if (record.kind === 'none') {
    return { free: !claim.isAhead || fence?.source === 'opfs-lock' || unchangedMs >= longerTermMs };
  }
  if (record.kind === 'unreadable') {
    return { free: unchangedMs >= longerTermMs, unreadable: record.why };
  }
  const known = fence?.leaseId === record.leaseId ? fence : undefined;
  if (record.leaseId === claim.leaseId || record.expiresAt <= now) {
    return { free: true };
  }
  const webLockFence = known?.source === 'web-lock' ? known.fence : undefined;
  if (webLockFence !== undefined && webLockFence === claim.deadFence) {
    return { free: true };
  }
  const termMs = known?.termMs ?? claim.termMs;
  const tooFarAhead = record.expiresAt - now > termMs;
  return { free: tooFarAhead && unchangedMs >= termMs, expiresAt: record.expiresAt, webLockFence };
}

/** How long the record has been seen unchanged, on the monotonic clock. Outlives single attempts. */
export class Observation {
  #fingerprint;
  #since = 0;

  unchangedMs(fingerprint, monotonic) {
    if (fingerprint !== this.#fingerprint) {
      this.#fingerprint = fingerprint;
      this.#since = monotonic;
    }
    return monotonic - this.#since;
  }
}
