import { LONGEST_TERM_MS } from './options.js';
import { randomId } from './random-id.js';

/** A lease file holds less than a hundred bytes; what is longer than this was not written by a project lock. */
export const MOST_BYTES = 4096;

/**
 * What was found in place of a file: nothing, a text, or something that can't be read as one.
 * `fingerprint` changes when the content does.
 * @typedef {{kind: 'none'} | {kind: 'text', text: string, fingerprint: string}
 *   | {kind: 'unreadable', why: string, fingerprint: string}} Found
 */

/**
 * The record as it was found: nothing, a lease, or something unreadable with the reason.
 * @param {Found} found
 */
export function parseRecord(found) {
  if (found.kind !== 'text') {
    return found;
  }
  const { fingerprint } = found;
  const record = parseObject(found.text);
  if (record && Object.keys(record).length === 2 && isLeaseId(record.leaseId) && isTime(record.expiresAt)) {
    return { kind: 'lease', leaseId: record.leaseId, expiresAt: record.expiresAt, fingerprint };
  }
  const why = found.text === '' ? 'it is empty' : 'it is not {"leaseId": string, "expiresAt": number}';
  return { kind: 'unreadable', why, fingerprint };
}

/** The text of a record: exactly these two fields. */
export function formatRecord({ leaseId, expiresAt }) {
  return JSON.stringify({ leaseId, expiresAt });
}

/**
 * What is known beyond the record. An unreadable one is as good as none: the record alone is the truth.
 * @param {Found} found
 */
export function parseFence(found) {
  const fence = found.kind === 'text' ? parseObject(found.text) : undefined;
  return fence && isTime(fence.fence) && isTerm(fence.termMs) ? fence : undefined;
}

/** The text of a fence. Its stamp makes every renewal a change, also where the wall clock was set back and the record says the same. */
export function formatFence({ fence, leaseId, source, termMs }) {
  return JSON.stringify({ fence, leaseId, source, termMs, stamp: randomId() });
}

/** A fence above all earlier ones, even if their file was lost: the time never was as high before. */
export function nextFence(previous, now) {
  return Math.max((previous?.fence ?? 0) + 1, now * 1000);
}

function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isLeaseId(value) {
  return typeof value === 'string' && value !== '';
}

function isTerm(value) {
  return isTime(value) && value > 0 && value <= LONGEST_TERM_MS;
}

function isTime(value) {
  return Number.isSafeInteger(value) && value >= 0;
}
