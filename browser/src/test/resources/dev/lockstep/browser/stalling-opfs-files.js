import { OpfsFiles as RealFiles } from './original-opfs-files.js';

/** The real files, where every step of a transaction may take its time. */
export class OpfsFiles extends RealFiles {
  async read(name) {
    await stall();
    const found = await super.read(name);
    await stall();
    return found;
  }

  async write(name, text) {
    await stall();
    await super.write(name, text);
  }

  async remove(name) {
    await stall();
    await super.remove(name);
  }
}

function stall() {
  const ms = Math.random() < 0.5 ? 0 : Math.random() * 8;
  return new Promise((resolve) => setTimeout(resolve, ms));
}
