import { duration } from './words.js';
import { el, say } from './dom.js';

// Times that continue between two answers of the server. One timer for all of them; it rests while the page is hidden.

const ages = new Map();
const still = matchMedia('(prefers-reduced-motion: reduce)');

/** Lets an element show how long something lasts already. */
export function tickUp(element, ageMs) {
  ages.set(element, performance.now() - ageMs);
  say(element, duration(ageMs));
}

setInterval(() => {
  if (document.hidden) return;
  const now = performance.now();
  for (const [element, from] of ages) {
    if (!element.isConnected) ages.delete(element);
    else say(element, duration(now - from));
  }
  for (const bar of bars) if (!bar.tick(now)) bars.delete(bar);
}, 100);

const bars = new Set();

/** The term of a lease that is seen for the first time; the time of an earlier renewal is unknown. */
const termOf = (leftMs, ageMs) => (ageMs < 60_000 ? leftMs + ageMs : Math.max(leftMs, 15_000));

/** A small bar that runs empty as a lease does, and the time left in figures. */
export class LeaseBar {
  #rest = el('span', { class: 'rest' });
  #time = el('span', { class: 'time' });
  element = el('span', { class: 'left' }, el('span', { class: 'track', 'aria-hidden': 'true' }, this.#rest), this.#time);
  #full = 0;
  #endsAt = -Infinity;
  #unknown = false;

  /** Says how much is left now, of a lease of this age. */
  update(leftMs, ageMs) {
    this.#unknown = leftMs === null;
    this.element.classList.toggle('unknown', this.#unknown);
    if (this.#unknown) return this.#showUnknown();
    const endsAt = performance.now() + leftMs;
    if (endsAt > this.#endsAt + 400) this.#full = this.#full === 0 ? termOf(leftMs, ageMs) : leftMs;
    if (Math.abs(endsAt - this.#endsAt) > 60) this.#run(endsAt, leftMs);
    bars.add(this);
    this.tick(performance.now());
  }

  tick(now) {
    if (!this.element.isConnected || this.#unknown) return false;
    const left = this.#endsAt - now;
    say(this.#time, left > 0 ? duration(left) : 'over');
    this.element.classList.toggle('ending', left < this.#full / 5);
    return true;
  }

  #run(endsAt, leftMs) {
    this.#endsAt = endsAt;
    const share = this.#full === 0 ? 0 : Math.min(1, leftMs / this.#full);
    for (const old of this.#rest.getAnimations()) old.cancel();
    this.#rest.style.transform = `scaleX(${share})`;
    if (still.matches) return;
    this.#rest.animate([{ transform: `scaleX(${share})` }, { transform: 'scaleX(0)' }], { duration: leftMs, fill: 'forwards' });
  }

  #showUnknown() {
    say(this.#time, '–');
    this.#time.title = 'The store does not tell';
  }
}
