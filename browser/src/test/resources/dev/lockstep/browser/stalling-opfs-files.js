import { OpfsFiles as RealFiles } from './original-opfs-files.js';

/** The real files, where every step of a transaction may take its time, and the answer too. */
export class OpfsFiles extends RealFiles {
  async underGuard(work) {
    const answer = await super.underGuard(work);
    await sleep(Math.random() < 0.25 ? 120 : 0); // longer than a whole transaction of another tab
    return answer;
  }

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
  return sleep(Math.random() < 0.5 ? 0 : Math.random() * 8);
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
