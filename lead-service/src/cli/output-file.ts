import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { StartupError } from '../platform/startup-error.ts';

interface Output {
  /** Runs the writer. A file gets its final name only after a complete write. */
  fill(write: (stream: Writable) => Promise<void>): Promise<void>;
}

export async function openOutput(name: string | undefined): Promise<Output> {
  if (name === undefined) return { fill: (write) => write(process.stdout) };
  const partial = `${name}.part`;
  const cannotWrite = (error: NodeJS.ErrnoException) =>
    new StartupError(`Cannot write to ${name} (${error.code}). Choose another file.`, { cause: error });
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
