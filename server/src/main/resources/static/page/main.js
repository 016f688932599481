import { byId } from './dom.js';
import { get } from './server.js';
import { startTabs } from './tabs.js';
import { startTokenForm } from './token-form.js';
import { startEndLease } from './end-lease.js';
import { Header } from './header.js';
import { FallbackNotice } from './fallback-notice.js';
import { Heartbeat } from './heartbeat.js';
import { EventStream } from './event-stream.js';
import { LocksPanel } from './locks-panel.js';
import { WaitingPanel } from './waiting-panel.js';
import { EventsPanel } from './events-panel.js';
import { ContentionPanel } from './contention-panel.js';
import { InventoryPanel } from './inventory-panel.js';
import { TryPanel } from './try-panel.js';
import { ProjectLockPanel } from './project-lock-panel.js';

// The page asks once a second for the server's status and for what the seen panel shows. An event about locks asks sooner.

const events = new EventsPanel();
const trying = new TryPanel();
const panels = {
  locks: new LocksPanel(),
  waiting: new WaitingPanel(),
  events,
  contention: new ContentionPanel(),
  inventory: new InventoryPanel(),
  try: trying,
  'project-lock': new ProjectLockPanel(),
};
let seen = panels.locks;

const heartbeat = new Heartbeat(async () => {
  const panel = byId('main').dataset.panel;
  const [status] = await Promise.all([get('/api/status'), seen.refresh()]);
  byId('main').dataset.shown = panel;
  header.update(status);
  document.body.classList.toggle('may-end', status.right === 'admin');
  fallback.update(status.fallback);
  panels.locks.meet(status);
  trying.meet(status);
  document.documentElement.dataset.ready = '';
});
const header = new Header(heartbeat);
const fallback = new FallbackNotice();

const stream = new EventStream((event) => {
  events.hear(event);
  if (event.about === 'locks' && (seen === panels.locks || seen === panels.waiting)) heartbeat.soon();
}, (state, why) => events.tell(state, why));

startTokenForm(
  () => {
    heartbeat.rest();
    stream.rest();
  },
  () => {
    heartbeat.resume();
    stream.start();
  });

startEndLease(() => heartbeat.soon());
startTabs(document.querySelector('[role=tablist]'), (name) => {
  seen = panels[name];
  byId('main').dataset.panel = name;
  heartbeat.soon();
});
stream.start();
