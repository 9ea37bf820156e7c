import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { StartFailure } from '../start-failure.ts';

/** Where a command writes its result. */
export interface Output {
  /** Runs what writes. A file gets its name only once all is in it. */
  fill(write: (stream: Writable) => Promise<void>): Promise<void>;
}

/** A file of this name, or stdout. */
export async function openOutput(name: string | undefined): Promise<Output> {
  if (name === undefined) return { fill: (write) => write(process.stdout) };
  const partial = `${name}.part`;
  const cannotWrite = (error: NodeJS.ErrnoException) =>
    new StartFailure(`Cannot write to ${name} (${error.code}). Choose another file.`, { cause: error });
  const handle = await open(partial, 'w', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw cannotWrite(error);
  });
  const stream = createWriteStream(partial, { fd: handle.fd, autoClose: false });
  let failure: NodeJS.ErrnoException | undefined;
  stream.on('error', (error) => (failure = error));
  return {
    async fill(write) {
      try {
        await write(stream);
        stream.end();
        await finished(stream);
        await handle.close();
        await rename(partial, name);
      } catch (error) {
        stream.destroy();
        await handle.close().catch(() => undefined);
        await rm(partial, { force: true });
        throw failure !== undefined && error === failure ? cannotWrite(failure) : error;
      }
    },
  };
}
