import { keep, recall } from './kept.js';

// Everything the page asks the server goes through here.

const TOKEN = 'lockstep-token';

/** The server's answer that something can't be done: problem+json. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? `The server answered ${status}.`);
    this.status = status;
    this.problem = problem;
  }
}

/** Nothing came back. */
export class Unreachable extends Error {}

/** Emits 'token' when the server asks for one. */
export const server = new EventTarget();

export const token = () => recall(TOKEN);

export function keepToken(value) {
  keep(TOKEN, value);
}

/** Sends a request; answers the response whatever it says. */
export async function send(method, path, { body, signal, headers } = {}) {
  const all = { ...headers };
  if (body !== undefined) all['Content-Type'] = 'application/json';
  if (token()) all.Authorization = `Bearer ${token()}`;
  try {
    return await fetch(path, { method, headers: all, signal, cache: 'no-store', body: body && JSON.stringify(body) });
  } catch (failure) {
    if (failure.name === 'AbortError') throw failure;
    throw new Unreachable(failure.message);
  }
}

/** Sends a request and returns what it brought, or throws Refused or Unreachable. */
export async function ask(method, path, options) {
  const response = await send(method, path, options);
  if (response.ok) return response.status === 204 ? null : read(response);
  throw await refusal(response);
}

/** What a response that is not a good one says. */
export async function refusal(response) {
  const problem = await response.json().catch(() => ({}));
  if (response.status === 401 || problem.code === 'too-many-attempts') server.dispatchEvent(new Event('token'));
  return new Refused(response.status, problem);
}

async function read(response) {
  try {
    return await response.json();
  } catch (failure) {
    if (failure.name === 'AbortError') throw failure;
    throw new Unreachable(failure.message);
  }
}

/** Asks for something by GET. Gives up on a server that takes it and never answers. */
export const get = (path) => ask('GET', path, { signal: AbortSignal.timeout(10_000) });
