import { byId, say, show } from './dom.js';
import { duration, timeOfDay } from './words.js';

/** Says which of two stores is in use, and whether it grants: nothing while all is as usual. */
export class FallbackNotice {
  #pair = null;
  #receivedAt = 0;

  constructor() {
    setInterval(() => this.#left(), 250);
  }

  update(pair) {
    this.#pair = pair;
    this.#receivedAt = performance.now();
    const text = pair ? words(pair) : '';
    const element = byId('fallback');
    say(byId('fallback-now'), text);
    element.classList.toggle('bad', pair?.grants === 'stopped');
    element.classList.toggle('wait', pair?.grants !== 'stopped');
    show(element, text !== '');
    this.#left();
  }

  /** What counts down stands outside the status, which would be read out again each second. */
  #left() {
    const left = this.#pair?.grants === 'quiet' ? this.#pair.quietMs - (performance.now() - this.#receivedAt) : 0;
    say(byId('fallback-left'), left > 0 ? `That takes ${duration(left)} at most.` : '');
  }
}

function words(pair) {
  if (pair.grants === 'stopped') {
    return `No lock is granted: ${pair.secondary}, which says which store’s turn it is, does not answer.`;
  }
  if (pair.grants === 'quiet') return quiet(pair);
  if (pair.grants === 'fenced') {
    return `Locks are on ${pair.active}, fenced: ${pair.secondary} does not answer, so another process may have switched. Only fencing tokens tell who is late.`;
  }
  return pair.onSecondary ? onFallback(pair) : onPrimary(pair);
}

function quiet({ active, primary, secondary, onSecondary, since }) {
  const when = since ? ` since ${timeOfDay(since)}` : '';
  const before = onSecondary ? primary : secondary;
  return `No lock is granted${when}: locks ${onSecondary ? 'move' : 'go back'} to ${active}, which waits until every lease on ${before} has expired.`;
}

function onFallback({ active, primary, since, primaryReachable }) {
  const when = since ? `, since ${timeOfDay(since)}` : '';
  const why = primaryReachable
    ? `${primary} answers again. Locks go back when all processes have reached it for a while.`
    : `${primary} can’t be reached.`;
  return `Locks are on ${active}, the fallback${when}. ${why}`;
}

function onPrimary({ active, secondary, primaryReachable, secondaryReachable }) {
  if (!primaryReachable) return `${active} does not answer. If that lasts, locks move to ${secondary}, the fallback.`;
  return secondaryReachable ? '' : `${secondary}, the fallback, does not answer. Locks on ${active} need word from it, and end soon without.`;
}
