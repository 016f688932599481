import { byId, el, say, show } from './dom.js';
import { count, number, preciseTime } from './words.js';

const KEPT = 2000;
const SHOWN = 300;

const TYPES = ['acquired', 'released', 'renewed', 'refused', 'timed-out', 'deadlocked', 'lost', 'acquire-failed', 'renewal-failed', 'release-failed',
  'order-violated', 'switch-to-fallback', 'switch-back', 'switch-completed', 'secondary-lost', 'secondary-found', 'answered', 'strategy-changed', 'alert', 'gap'];
const TROUBLE = new Set(['timed-out', 'deadlocked', 'lost', 'acquire-failed', 'renewal-failed', 'release-failed', 'order-violated',
  'switch-to-fallback', 'secondary-lost', 'alert', 'gap']);
const KINDS = { 'timed-out': 'wait', 'switch-back': 'wait', gap: 'wait', 'strategy-changed': 'wait', alert: 'wait', renewed: 'quiet', refused: 'quiet', released: 'quiet', answered: 'quiet' };

const GROUPS = {
  '': ['all', () => true],
  '*locks': ['of locks', (event) => event.about === 'locks'],
  '*inventory': ['of stock', (event) => event.about === 'inventory'],
  '*trouble': ['trouble', (event) => TROUBLE.has(event.type)],
};

/** The live stream, the newest first. However many come, it draws once a frame, and a bounded number. */
export class EventsPanel {
  #kept = [];
  #fresh = [];
  #paused = false;
  #beforePause = [];
  #missed = 0;
  #frame = 0;
  #state = 'connecting';

  constructor() {
    const options = [...Object.entries(GROUPS).map(([value, [name]]) => [value, name]), ...TYPES.map((type) => [type, type])];
    byId('events-type').append(...options.map(([value, name]) => el('option', { value }, name)));
    byId('events-type').addEventListener('change', () => this.#redraw());
    byId('events-text').addEventListener('input', () => this.#redraw());
    byId('events-pause').addEventListener('click', () => this.#pause());
    this.#describe();
  }

  hear(event) {
    this.#kept.push(event);
    if (this.#kept.length > KEPT * 2) this.#kept.splice(0, this.#kept.length - KEPT);
    if (this.#paused) this.#missed++;
    else this.#fresh.push(event);
    if (this.#fresh.length > SHOWN) this.#fresh.splice(0, this.#fresh.length - SHOWN);
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  tell(state, why) {
    this.#state = state === 'open' ? 'live' : `broken off${why?.problem?.detail ? `: ${why.problem.detail}` : ', trying again'}`;
    this.#describe();
  }

  async refresh() {
    this.#describe();
  }

  #matching() {
    const type = byId('events-type').value;
    const text = byId('events-text').value.trim().toLowerCase();
    const ofType = GROUPS[type]?.[1] ?? ((event) => event.type === type);
    return (event) => ofType(event) && (text === '' || wordsOf(event).includes(text));
  }

  #draw() {
    this.#frame = 0;
    const list = byId('event-list');
    const rows = this.#fresh.filter(this.#matching()).reverse().map(line);
    this.#fresh = [];
    list.prepend(...rows);
    while (list.childElementCount > SHOWN) list.lastElementChild.remove();
    this.#describe();
  }

  #redraw() {
    byId('event-list').replaceChildren();
    const matches = this.#matching();
    this.#fresh = (this.#paused ? this.#beforePause : this.#kept).filter(matches).slice(-SHOWN);
    this.#draw();
  }

  #pause() {
    this.#paused = !this.#paused;
    this.#missed = 0;
    this.#beforePause = this.#paused ? this.#kept.slice(-KEPT) : [];
    byId('events-pause').setAttribute('aria-pressed', this.#paused);
    if (!this.#paused) this.#redraw();
    this.#describe();
  }

  #describe() {
    const none = byId('event-list').childElementCount === 0;
    const paused = this.#paused ? `; paused, ${number(this.#missed)} new since` : '';
    say(byId('events-state'), `${this.#state}; ${count(Math.min(this.#kept.length, KEPT), 'event')} kept here${paused}`);
    show(byId('events-empty'), this.#kept.length === 0);
    show(byId('event-list').parentElement, !none || this.#kept.length > 0);
  }
}

const wordsOf = (event) =>
  [event.text, event.owner, event.sku, event.location, event.outcome, ...(event.keys ?? [])].join(' ').toLowerCase();

function line(event) {
  const kind = KINDS[event.type] ?? (TROUBLE.has(event.type) ? 'bad' : 'plain');
  return el('li', { 'data-kind': kind, 'data-type': event.type, 'data-id': event.id },
    el('time', { datetime: event.at }, preciseTime(event.at)), el('span', { class: 'type' }, event.type), el('span', { class: 'text' }, event.text));
}
