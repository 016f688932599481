/**
 * What each error code means for the caller: whether trying again can help, and how loudly it is logged.
 * @type {Record<string, {retryable: boolean, level: 'info' | 'warn' | 'error'}>}
 */
const CODES = {
  'web-lock-unavailable': { retryable: true, level: 'warn' },
  'web-lock-aborted': { retryable: false, level: 'info' },
  'fallback-open-failed': { retryable: false, level: 'error' },
  'fallback-read-failed': { retryable: true, level: 'warn' },
  'fallback-write-failed': { retryable: true, level: 'error' },
  'lease-mismatch': { retryable: false, level: 'error' },
  'lease-expired': { retryable: false, level: 'warn' },
  'acquire-timeout': { retryable: true, level: 'warn' },
};

/** The one error of the project lock: `code` says what happened, `retryable` whether trying again can help. */
export class ProjectLockError extends Error {
  constructor(message, { code, retryable, cause }) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ProjectLockError';
    this.code = code;
    this.retryable = retryable;
  }
}

/** The error of a code, with the code's own `retryable`. */
export function fault(code, message, cause) {
  return new ProjectLockError(message, { code, retryable: CODES[code].retryable, cause });
}

/** The console method that an error is logged with. */
export function levelOf(error) {
  return CODES[error.code]?.level ?? 'error';
}

/** An error as a message that passes between a page and its worker, where classes get lost. */
export function toMessage(error) {
  const { name, message } = error ?? {};
  return error instanceof ProjectLockError
    ? { code: error.code, message, cause: error.cause && describe(error.cause) }
    : { code: 'fallback-write-failed', message: `The lease file could not be used: ${describe({ name, message })}` };
}

/** The error in such a message. */
export function fromMessage({ code, message, cause }) {
  return fault(code, message, cause);
}

function describe({ name, message }) {
  return `${name}: ${message}`;
}
