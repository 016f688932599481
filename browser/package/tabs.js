import { thisTab } from './this-tab.js';

/** Calls the listener with what other tabs tell about the lock: their state now, and each of their events. */
export function subscribeTabNews(listener) {
  if (typeof listener !== 'function') {
    throw new TypeError(`subscribeTabNews takes a function, not ${typeof listener}.`);
  }
  return thisTab.channel.subscribe(listener);
}
