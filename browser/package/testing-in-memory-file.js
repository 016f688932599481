/** The lease file `.lock` in memory. `failNext('delete')` lets one of read, write and delete fail. */
export class InMemoryOpfsFile {
  #failures = new Map();

  /** The text of the file; undefined where there is none. */
  text;

  constructor(text) {
    this.text = text;
  }

  /** A file that is held by that lease. */
  static holding(leaseId, expiresAt) {
    return new InMemoryOpfsFile(JSON.stringify({ leaseId, expiresAt }));
  }

  failNext(operation, error = new DOMException(`The ${operation} failed, as the test wants it.`, 'InvalidStateError')) {
    this.#failures.set(operation, error);
  }

  async read() {
    this.#failIfTold('read');
    return this.text;
  }

  async write(text) {
    this.#failIfTold('write');
    this.text = text;
  }

  async delete() {
    this.#failIfTold('delete');
    this.text = undefined;
  }

  #failIfTold(operation) {
    const error = this.#failures.get(operation);
    this.#failures.delete(operation);
    if (error) {
      throw error;
    }
  }
}

const projects = new WeakMap();

/** The files of the project that a lease file is in: the same for everyone who asks with the same file. */
export function filesOf(file) {
  if (!projects.has(file)) {
    projects.set(file, new InMemoryFiles(file));
  }
  return projects.get(file);
}

class InMemoryFiles {
  #files;
  #turn = Promise.resolve();

  constructor(file) {
    this.#files = new Map([['.lock', file]]);
  }

  underGuard(work) {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  async read(name) {
    const text = await this.#file(name).read();
    return text === undefined ? { kind: 'none' } : { kind: 'text', text, fingerprint: text };
  }

  write(name, text) {
    return this.#file(name).write(text);
  }

  remove(name) {
    return this.#file(name).delete();
  }

  #file(name) {
    if (!this.#files.has(name)) {
      this.#files.set(name, new InMemoryOpfsFile());
    }
    return this.#files.get(name);
  }
}
