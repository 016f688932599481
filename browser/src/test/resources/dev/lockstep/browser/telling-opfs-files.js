import { OpfsFiles as RealFiles } from './original-opfs-files.js';

const channel = new BroadcastChannel('writes');

/** The real files, which tell what is written. */
export class OpfsFiles extends RealFiles {
  async write(name, text) {
    await super.write(name, text);
    channel.postMessage(JSON.parse(text).source ?? name);
  }
}
