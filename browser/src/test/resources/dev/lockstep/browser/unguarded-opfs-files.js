import { OpfsFiles as RealFiles } from './original-opfs-files.js';

/** Files without a guard: what the race must catch. */
export class OpfsFiles extends RealFiles {
  async underGuard(work) {
    return work();
  }

  async read(name) {
    const found = await super.read(name);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 8));
    return found;
  }
}
