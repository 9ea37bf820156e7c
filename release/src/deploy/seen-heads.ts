import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { isMissingFile } from '../platform/is-missing-file.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { logHead, type LogHead } from '../store/stored-documents.ts';

/** Display name of a store → the newest head of its log that was seen there. */
const heads = z.record(z.string(), logHead);

/** The file in which a machine remembers heads, outside of every store. */
export class SeenHeads {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async of(storeName: string): Promise<LogHead | undefined> {
    return (await this.#read())[storeName];
  }

  async remember(storeName: string, { sequence, hash, at }: LogHead): Promise<void> {
    const known = await this.#read();
    // A slower process, such as a "verify", must not replace what another one has seen meanwhile.
    if ((known[storeName]?.sequence ?? 0) > sequence) return;
    const text = JSON.stringify({ ...known, [storeName]: { sequence, hash, at } }, null, 2);
    const draft = `${this.path}.${process.pid}`;
    await mkdir(dirname(this.path), { recursive: true });
    await writeFile(draft, `${text}\n`, { mode: 0o600 });
    await rename(draft, this.path);
  }

  async #read(): Promise<z.infer<typeof heads>> {
    try {
      return heads.parse(JSON.parse(await readFile(this.path, 'utf8')));
    } catch (cause) {
      if (isMissingFile(cause)) return {};
      // Without it, a store that was set back would pass.
      throw new ReleaseError(
        `${this.path} is damaged: it is not what this tool has written. Restore it. If that is not possible, remove it; the next head is then taken as the first.`,
        { cause },
      );
    }
  }
}
