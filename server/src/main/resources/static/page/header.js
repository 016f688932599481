import { byId, el, say, show } from './dom.js';
import { token } from './server.js';
import { duration, number, roughDuration, timeOfDay } from './words.js';

/** What the server is, how it is, and whether it is reached. */
export class Header {
  #status = null;
  #receivedAt = 0;

  constructor(heartbeat) {
    setInterval(() => this.#tick(heartbeat), 250);
  }

  update(status) {
    this.#status = status;
    this.#receivedAt = performance.now();
    say(byId('fact-store'), status.store);
    say(byId('fact-node'), status.node);
    say(byId('fact-uptime'), roughDuration(status.uptimeMs));
    say(byId('fact-holding'), number(status.holding));
    say(byId('fact-waiting'), number(status.waiting));
    say(byId('version'), `${status.name} ${status.version}`);
    show(byId('api-document'), token() === null);
    this.#badge(status.waiting);
    document.title = `Lockstep · ${status.node}`;
  }

  #badge(waiting) {
    const tab = byId('tab-waiting');
    const badge = tab.querySelector('.count') ?? tab.appendChild(el('span', { class: 'count', 'aria-hidden': 'true' }));
    say(badge, waiting > 0 ? number(waiting) : '');
  }

  #tick(heartbeat) {
    const gone = heartbeat.goneSince;
    this.#connection(gone ? 'gone' : this.#status ? 'live' : 'starting');
    show(byId('gone'), gone !== null);
    document.body.classList.toggle('stale', gone !== null);
    if (gone) this.#gone(gone, heartbeat.nextInMs);
    this.#grants();
  }

  /** What counts down stands outside the alert, which would be read out again each second. */
  #gone(since, nextInMs) {
    say(byId('gone-since'), `The server has not answered since ${timeOfDay(since)}. What you see is from before.`);
    say(byId('gone-next'), next(nextInMs));
  }

  #connection(state) {
    byId('connection').dataset.state = state;
    say(byId('connection-text'), { gone: 'not reached', live: 'live', starting: 'connecting' }[state]);
  }

  /** After a stop that leases may outlive. By the server's own clock: its uptime says what time it is there. */
  #grants() {
    const from = this.#status?.grantsFrom;
    const now = from ? Date.parse(this.#status.startedAt) + this.#status.uptimeMs + performance.now() - this.#receivedAt : 0;
    const left = from ? Date.parse(from) - now : 0;
    show(byId('grants'), left > 0);
    if (left > 0) {
      say(byId('grants'), `No lock is granted until ${timeOfDay(from)}. Clients may still count on leases from before the last stop, so the server waits until those have expired.`);
    }
  }
}

const next = (ms) => (ms < 1000 ? 'Trying again now.' : `Trying again in ${duration(Math.ceil(ms / 1000) * 1000).replace('.0', '')}.`);
