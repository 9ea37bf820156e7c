import { rename, writeFile } from 'node:fs/promises';

/** Writes a file beside its place, and then renames it, so that a reader gets the old content or the new one. */
export async function replaceFile(file: string, content: string): Promise<void> {
  await writeFile(`${file}.new`, content);
  await rename(`${file}.new`, file);
}
