const NAME = 'document.txt';

/** The text that the tabs edit: a file of the project, beside the lock. */
export async function load() {
  try {
    const handle = await (await project()).getFileHandle(NAME);
    return await (await handle.getFile()).text();
  } catch (error) {
    if (error.name === 'NotFoundError') {
      return '';
    }
    throw error;
  }
}

export async function save(text) {
  const handle = await (await project()).getFileHandle(NAME, { create: true });
  const writable = await handle.createWritable();
  await writable.write(text);
  await writable.close();
}

async function project() {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle('project', { create: true });
}
