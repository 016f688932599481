import { refusal, send } from './server.js';

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;

/**
 * The server's events, read with fetch because EventSource can't send a token. After a break it continues behind the last event it
 * saw. It rests while the page is hidden.
 */
export class EventStream {
  #hear;
  #tell;
  #lastId = null;
  #stop = null;
  #wanted = false;

  /** `hear(event)` gets each event, `tell(state, why)` whether it is 'open' or 'broken'. */
  constructor(hear, tell) {
    this.#hear = hear;
    this.#tell = tell;
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#stop?.abort() : this.#run()));
  }

  start() {
    this.#wanted = true;
    this.#run();
  }

  rest() {
    this.#wanted = false;
    this.#stop?.abort();
  }

  async #run() {
    if (!this.#wanted || document.hidden || (this.#stop && !this.#stop.signal.aborted)) return;
    const stop = new AbortController();
    this.#stop = stop;
    for (let pause = FIRST_PAUSE; !stop.signal.aborted; pause = Math.min(LONGEST_PAUSE, pause * 2)) {
      try {
        await this.#read(stop.signal, () => (pause = FIRST_PAUSE / 2));
        if (!stop.signal.aborted) this.#tell('broken', null);
      } catch (failure) {
        if (stop.signal.aborted) return;
        this.#tell('broken', failure);
      }
      await passed(pause, stop.signal);
    }
  }

  async #read(signal, opened) {
    const headers = { Accept: 'text/event-stream' };
    if (this.#lastId !== null) headers['Last-Event-ID'] = this.#lastId;
    const response = await send('GET', '/api/events', { headers, signal });
    if (!response.ok) throw await refusal(response);
    opened();
    this.#tell('open', null);
    const lines = new Lines((fields) => this.#take(fields));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) lines.add(part.value);
  }

  #take({ id, data }) {
    if (id !== undefined) this.#lastId = id;
    if (data !== undefined) this.#hear(JSON.parse(data));
  }
}

/** Puts the stream's lines together: fields up to an empty line are one event. */
class Lines {
  #rest = '';
  #fields = {};
  #done;

  constructor(done) {
    this.#done = done;
  }

  add(text) {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop();
    for (const line of lines) this.#line(line.endsWith('\r') ? line.slice(0, -1) : line);
  }

  #line(line) {
    if (line === '') {
      this.#done(this.#fields);
      this.#fields = {};
      return;
    }
    const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line);
    if (name === 'data' && this.#fields.data !== undefined) this.#fields.data += `\n${value}`;
    else if (name !== '') this.#fields[name] = value;
  }
}

function passed(ms, signal) {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
