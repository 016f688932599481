import { fault } from './errors.js';
import { MOST_BYTES } from './record.js';

const DIRECTORY = 'project';
const GUARD = '.lock.guard';
const GUARD_PATIENCE_MS = 2000;

const WITHOUT_WRITABLES =
  'This browser cannot replace a file as a whole: FileSystemFileHandle.createWritable is missing. The project lock needs it, ' +
  'with or without Web Locks: use Chrome or Edge 102, Firefox 111, Safari 26, or a later one.';

/** What Chromium writes before it replaces a file. A browser that is killed leaves them behind. */
const LEFTOVER = /^\.lock(\.fence)?(\.\d+)?\.crswap$/;

/**
 * The files of the project in the origin private file system. For dedicated workers only: nowhere else is there an
 * access handle, the one thing in this file system that only one can have.
 */
export class OpfsFiles {
  #storage;
  #project;
  #directory;
  #isSwept = false;

  /** With the name of a project, its directory is one below `project/`. */
  constructor(storage, project = '') {
    this.#storage = storage;
    this.#project = project;
  }

  /**
   * Runs work while no other runs: in this tab or another, with Web Locks or without.
   * The guard is held for the milliseconds of a transaction, so waiting for it is no matter of the retry policy.
   */
  async underGuard(work) {
    const guard = await this.#openGuard(performance.now() + GUARD_PATIENCE_MS);
    try {
      await this.#sweepOnce();
      return await work();
    } finally {
      guard.close();
    }
  }

  async read(name) {
    const handle = await this.#find(name);
    if (handle.kind !== 'file') {
      return handle;
    }
    const file = await handle.getFile();
    if (file.size > MOST_BYTES) {
      const fingerprint = `${file.size} bytes of ${file.lastModified}`;
      return { kind: 'unreadable', why: `it has ${file.size} bytes`, fingerprint };
    }
    const text = await file.text();
    return { kind: 'text', text, fingerprint: text };
  }

  /** Replaces the file as a whole: readers see the old text or the new one. */
  async write(name, text) {
    const directory = await this.#open();
    const handle = await directory.getFileHandle(name, { create: true });
    const writable = await handle.createWritable();
    try {
      await writable.write(text);
    } catch (error) {
      await writable.abort();
      throw error;
    }
    await writable.close();
  }

  async remove(name) {
    const directory = await this.#open();
    await directory.removeEntry(name);
  }

  /** No other writes these files now, so what is left of them is not needed. */
  async #sweepOnce() {
    if (this.#isSwept) {
      return;
    }
    this.#isSwept = true;
    const directory = await this.#open();
    for await (const name of directory.keys()) {
      if (LEFTOVER.test(name)) {
        await directory.removeEntry(name).catch(() => {}); // clutter, at worst
      }
    }
  }

  async #openGuard(deadline) {
    const handle = await this.#guardHandle();
    for (;;) {
      try {
        return await handle.createSyncAccessHandle();
      } catch (error) {
        if (error.name !== 'NoModificationAllowedError') {
          throw unusable(error);
        }
        if (performance.now() >= deadline) {
          throw fault('fallback-write-failed', `project/${GUARD} is in use by another tab for too long.`, error);
        }
      }
      await sleep(5 + 15 * Math.random());
    }
  }

  async #guardHandle() {
    let handle;
    try {
      const directory = await this.#open();
      handle = await directory.getFileHandle(GUARD, { create: true });
    } catch (error) {
      throw unusable(error);
    }
    if (typeof handle.createWritable !== 'function') {
      throw fault('fallback-open-failed', WITHOUT_WRITABLES);
    }
    return handle;
  }

  async #open() {
    if (!this.#directory) {
      const root = await this.#storage.getDirectory();
      const all = await root.getDirectoryHandle(DIRECTORY, { create: true });
      this.#directory = this.#project ? await all.getDirectoryHandle(this.#project, { create: true }) : all;
    }
    return this.#directory;
  }

  async #find(name) {
    const directory = await this.#open();
    try {
      return await directory.getFileHandle(name);
    } catch (error) {
      if (error.name === 'NotFoundError') {
        return { kind: 'none' };
      }
      if (error.name === 'TypeMismatchError') {
        throw inTheWay(name, error);
      }
      throw error;
    }
  }
}

function inTheWay(name, error) {
  const message = `project/${name} is a directory, where the project lock needs a file. Move what is in it, and remove it.`;
  return fault('fallback-open-failed', message, error);
}

function unusable(error) {
  return fault(
    'fallback-open-failed',
    `The origin private file system can't be used here (${error.name}: ${error.message}). The project lock needs it, with ` +
      'or without Web Locks: serve the page over https or from localhost, outside private windows and sandboxed frames.',
    error,
  );
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
