import { fault, fromMessage } from './errors.js';

const START_PATIENCE_MS = 10_000;
const ANSWER_PATIENCE_MS = 5000;

/** The page's line to its worker: questions that are always answered, if only with an error, and alarms. */
export class WorkerLink {
  #start;
  #worker;
  #isReady = false;
  #questions = new Map();
  #alarms = new Map();
  #lastId = 0;

  constructor(start) {
    this.#start = start;
  }

  /** An object whose methods are answered by the worker. */
  remote(names) {
    return Object.fromEntries(names.map((name) => [name, (argument) => this.#ask(name, argument)]));
  }

  /** Rings once, after a delay that the worker keeps. Answers a function that cancels. */
  alarm(delayMs, ring) {
    const id = ++this.#lastId;
    this.#alarms.set(id, ring);
    this.#send({ id, alarm: delayMs });
    return () => {
      if (this.#alarms.delete(id)) {
        this.#send({ id, cancel: true });
      }
    };
  }

  #ask(name, argument) {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const patienceMs = this.#isReady ? ANSWER_PATIENCE_MS : START_PATIENCE_MS;
      const timer = setTimeout(() => this.#giveUp(silent()), patienceMs);
      const settle = (how) => (value) => {
        clearTimeout(timer);
        this.#questions.delete(id);
        how(value);
      };
      this.#questions.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.#send({ id, ask: name, argument });
    });
  }

  #send(message) {
    try {
      this.#worker ??= this.#startWorker();
      this.#worker.postMessage(message);
    } catch (error) {
      this.#giveUp(notLoaded(error));
    }
  }

  #startWorker() {
    const worker = this.#start();
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      if (worker === this.#worker) {
        this.#giveUp(this.#isReady ? silent() : notLoaded(event));
      }
    };
    return worker;
  }

  #hear({ id, ready, value, error }) {
    if (ready) {
      this.#isReady = true;
      return;
    }
    const ring = this.#alarms.get(id);
    this.#alarms.delete(id);
    ring?.();
    const question = this.#questions.get(id);
    if (error) {
      question?.reject(fromMessage(error));
    } else {
      question?.resolve(value);
    }
  }

  /** A worker that failed or says nothing is ended, so that it can't change anything any more. The next question starts another. */
  #giveUp(error) {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#isReady = false;
    this.#alarms.clear();
    [...this.#questions.values()].forEach((question) => question.reject(error));
  }
}

function silent() {
  return fault('fallback-write-failed', 'The worker of the project lock does not answer. Another one is started.');
}

function notLoaded(event) {
  return fault(
    'fallback-open-failed',
    `The worker of the project lock could not be loaded (${event?.message || 'no reason given'}). Serve ` +
      'lockstep-project-lock-worker.js and the modules beside it from the same origin, and allow it by worker-src.',
    event instanceof Error ? event : undefined,
  );
}
