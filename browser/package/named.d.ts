import type {
  acquireProjectLock,
  releaseProjectLock,
  renewProjectLock,
  subscribeLockEvents,
  withProjectLock,
} from './lockstep-project-lock.js';

/** The functions of `lockstep-project-lock` for one project. */
export interface NamedProjectLock {
  readonly acquireProjectLock: typeof acquireProjectLock;
  readonly renewProjectLock: typeof renewProjectLock;
  readonly releaseProjectLock: typeof releaseProjectLock;
  readonly withProjectLock: typeof withProjectLock;
  readonly subscribeLockEvents: typeof subscribeLockEvents;
}

/**
 * The lock of one of several projects of this origin, whose directory is `project/<name>/`. It is independent of the locks of other names, and of the
 * lock without a name. A name has 1 to 64 letters and digits of ASCII, or `.`, `_` and `-` after the first.
 */
export function projectLockOf(name: string): NamedProjectLock;
