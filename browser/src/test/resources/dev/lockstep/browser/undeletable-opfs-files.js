import { OpfsFiles as RealFiles } from './original-opfs-files.js';

/** The real files, of which none can be deleted. */
export class OpfsFiles extends RealFiles {
  async remove() {
    throw new DOMException('The file is in use.', 'NoModificationAllowedError');
  }
}
