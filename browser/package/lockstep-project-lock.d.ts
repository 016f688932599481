/** How the lock is held: with the browser's Web Lock, or by the lease file alone. */
export type ProjectLockSource = 'web-lock' | 'opfs-lock';

/** The right to change the project until `expiresAt`. */
export interface ProjectLockLease {
  /** A UUID (RFC 4122). */
  readonly leaseId: string;
  /** When it ends, in milliseconds of the epoch, unless it is renewed before. */
  readonly expiresAt: number;
  readonly source: ProjectLockSource;
}

export interface ProjectLockAcquireOptions {
  /** Ends the wait when it aborts. */
  readonly signal?: AbortSignal;
  /**
   * How long to wait for another holder at most. Default: 5000. 0 means a single attempt. An attempt that is under way at the end of the
   * wait may take 4 s more, since the worker may have to start first.
   */
  readonly maxWaitMs?: number;
  /** Default: 200 ms, twice as long each time, at most 5000 ms, any number of attempts. */
  readonly retryPolicy?: LockRetryPolicy;
}

export interface LockRetryPolicy {
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
  /** Default: 2. */
  readonly multiplier: number;
  /** Default: Infinity. */
  readonly maxAttempts: number;
}

export interface ProjectLockRenewOptions {
  readonly lease: ProjectLockLease;
  /** How long the lease lasts from now: an integer from 10 to 86400000 (1 day). It never ends earlier than before. Default: 15000. */
  readonly extendByMs?: number;
}

export interface ProjectLockReleaseOptions {
  readonly lease: ProjectLockLease;
  /** Default: 'completed'. */
  readonly reason?: 'completed' | 'aborted' | 'expired';
}

export interface ProjectLockEvent {
  readonly type:
    | 'acquired'
    | 'acquire-failed'
    | 'renewed'
    | 'expired'
    | 'released'
    | 'release-failed'
    | 'backoff'
    | 'switch-to-fallback';
  /** The lease that it is about. An 'expired' without one ended no lease of this tab. */
  readonly lease?: ProjectLockLease;
  readonly error?: ProjectLockError;
  /** Of 'expired': an unreadable record of an unknown holder was replaced, and no lease of this tab has ended. */
  readonly replacedRecord?: true;
  /** Of 'backoff', 'switch-to-fallback' and 'acquire-failed': how many attempts there were so far. */
  readonly attempt?: number;
  /** Of 'backoff': how long until the next attempt. */
  readonly delayMs?: number;
}

export type ProjectLockEventListener = (event: ProjectLockEvent) => void;

export interface ProjectLockSubscription {
  unsubscribe(): void;
}

/** The one error of the project lock. */
export class ProjectLockError extends Error {
  readonly code:
    | 'web-lock-unavailable'
    | 'web-lock-aborted'
    | 'fallback-open-failed'
    | 'fallback-read-failed'
    | 'fallback-write-failed'
    | 'lease-mismatch'
    | 'lease-expired'
    | 'acquire-timeout';
  /** Whether trying again can help. */
  readonly retryable: boolean;
  readonly cause?: unknown;
  constructor(message: string, params: { code: ProjectLockError['code']; retryable: boolean; cause?: unknown });
}

/** Waits for the lock of the project. The lease is not renewed by itself. */
export function acquireProjectLock(options?: ProjectLockAcquireOptions): Promise<{
  lease: ProjectLockLease;
  didFallback: boolean;
}>;

/** Lets a lease last longer. Answers it with its new end. */
export function renewProjectLock(options: ProjectLockRenewOptions): Promise<ProjectLockLease>;

/** Releases the lock. */
export function releaseProjectLock(options: ProjectLockReleaseOptions): Promise<void>;

/** Runs work under the lock, renewing it for as long as the work takes. Rejects if the lease was lost meanwhile. */
export function withProjectLock<T>(
  options: ProjectLockAcquireOptions | undefined,
  work: (lease: ProjectLockLease) => Promise<T>,
): Promise<T>;

/** Calls the listener with everything that happens to the lock in this tab. */
export function subscribeLockEvents(listener: ProjectLockEventListener): ProjectLockSubscription;
