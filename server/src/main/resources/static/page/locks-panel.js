import { byId, oneEach, say, show } from './dom.js';
import { copying, curl, exampleKey } from './commands.js';
import { get } from './server.js';
import { treeRows } from './key-tree.js';
import { lockRow } from './lock-row.js';
import { count, number } from './words.js';

/** The tree of locks: who holds what in which mode, who waits for it, and why. */
export class LocksPanel {
  #view = { holders: [], waiters: [], holdersFound: 0, waitersFound: 0 };
  #opened = new Set();

  constructor() {
    byId('locks-filter').addEventListener('input', () => this.#draw());
    copying('copy-first-lock', 'first-lock');
  }

  /** Learns which kinds the server knows, for the command that takes a first lock. */
  meet(status) {
    say(byId('first-lock'), curl('/api/locks', { keys: [exampleKey(status)], owner: 'me', leaseMs: 30000 }));
  }

  async refresh() {
    this.#view = await get('/api/locks');
    this.#draw();
  }

  #draw() {
    const { holders, waiters } = this.#view;
    const text = byId('locks-filter').value.trim().toLowerCase();
    const matches = (each) => `${each.key} ${each.owner}`.toLowerCase().includes(text);
    const rows = treeRows(this.#view, matches, this.#opened);
    const nothing = holders.length + waiters.length === 0;
    oneEach(byId('locks-rows'), rows, (row) => row.id, (row) => lockRow(row, (key) => this.#open(key)));
    say(byId('locks-found'), nothing ? '' : this.#found());
    show(byId('locks-empty'), nothing);
    show(byId('lock-table'), rows.length > 0);
    show(byId('locks-none'), !nothing && rows.length === 0);
    show(byId('legend'), !nothing);
  }

  #found() {
    const { holders, waiters, holdersFound, waitersFound } = this.#view;
    const found = `${count(holdersFound, 'holder')}, ${count(waitersFound, 'waiter')}`;
    const cut = holders.length < holdersFound || waiters.length < waitersFound;
    return cut ? `${found}; the oldest ${number(holders.length)} and ${number(waiters.length)} are shown` : found;
  }

  #open(key) {
    this.#opened.add(key);
    this.#draw();
  }
}
