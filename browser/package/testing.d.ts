import type * as api from './lockstep-project-lock.js';

/** `navigator.locks` for tests: grants in turn, except where `queue` says something else about the next requests. */
export class MockNavigatorLocks {
  constructor(queue?: Array<'granted' | 'stuck' | Error>);
  static unsupported(): DOMException;
  static denied(): DOMException;
  queue: Array<'granted' | 'stuck' | Error>;
  readonly requests: ReadonlyArray<LockOptions & { readonly name: string }>;
  request<T>(name: string, callback: (lock: Lock | null) => T | Promise<T>): Promise<T>;
  request<T>(name: string, options: LockOptions, callback: (lock: Lock | null) => T | Promise<T>): Promise<T>;
  query(): Promise<LockManagerSnapshot>;
}

/** The lease file `.lock` in memory. */
export class InMemoryOpfsFile {
  constructor(text?: string);
  static holding(leaseId: string, expiresAt: number): InMemoryOpfsFile;
  text: string | undefined;
  failNext(operation: 'read' | 'write' | 'delete', error?: Error): void;
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
  delete(): Promise<void>;
}

/** A clock that stands still until it is moved. */
export class FakeClock {
  constructor(startMs?: number);
  now(): number;
  monotonic(): number;
  alarm(delayMs: number, ring: () => void): () => void;
  sleep(delayMs: number): Promise<void>;
  /** Lets time pass on both clocks, and everything happen that was due in it. */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock alone, forwards or backwards; so it is with a computer that slept. */
  jump(ms: number): void;
}

/** Records what `subscribeLockEvents` reports, in order. */
export class EventProbe {
  constructor(subscribeLockEvents: typeof api.subscribeLockEvents);
  readonly events: api.ProjectLockEvent[];
  types(): Array<api.ProjectLockEvent['type']>;
  of(type: api.ProjectLockEvent['type']): api.ProjectLockEvent[];
  stop(): void;
}

export interface TestProjectLock {
  acquireProjectLock: typeof api.acquireProjectLock;
  renewProjectLock: typeof api.renewProjectLock;
  releaseProjectLock: typeof api.releaseProjectLock;
  withProjectLock: typeof api.withProjectLock;
  subscribeLockEvents: typeof api.subscribeLockEvents;
  /** What a tab does when it comes back from being frozen or asleep. */
  revalidate(): Promise<void>;
  /** The state it is in, as in the diagram. */
  state(): string;
}

/** A project lock made of test doubles. Two that are given the same file and locks are two tabs. */
export function createProjectLock(parts?: {
  locks?: MockNavigatorLocks;
  file?: InMemoryOpfsFile;
  clock?: FakeClock;
  log?: Pick<Console, 'info' | 'warn' | 'error'>;
}): TestProjectLock;
