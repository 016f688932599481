import type { ProjectLockError, ProjectLockEvent, ProjectLockSource, ProjectLockSubscription } from './lockstep-project-lock.js';

/** Where a tab is on its way through the lock; 'gone' when its page was left. */
export type TabState =
  | 'idle'
  | 'requesting-web'
  | 'switching-fallback'
  | 'backing-off'
  | 'holding-web'
  | 'holding-fallback'
  | 'renewing'
  | 'releasing'
  | 'faulted'
  | 'gone';

/** What another tab reports about the lock; a tab that crashed reports nothing. */
export interface TabNews {
  /** Names the tab, for as long as its page is open. */
  readonly tab: string;
  readonly state: TabState;
  /** When it was sent, in milliseconds of the epoch. */
  readonly at: number;
  /** What happened, if anything but the state. */
  readonly event?: {
    readonly type: ProjectLockEvent['type'];
    readonly source?: ProjectLockSource;
    readonly expiresAt?: number;
    readonly code?: ProjectLockError['code'];
    readonly attempt?: number;
    readonly delayMs?: number;
    readonly replacedRecord?: true;
  };
}

/** Calls the listener with what other tabs tell about the lock: their state now, and each of their events. */
export function subscribeTabNews(listener: (news: TabNews) => void): ProjectLockSubscription;
