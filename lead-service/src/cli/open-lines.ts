import { constants } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { reasonOf } from '../platform/log.ts';
import { createDirectory } from '../platform/replace-file.ts';
import { StartupError } from '../platform/explained-error.ts';

/** In characters. Far more than the longest lead has, so that a file without line breaks needs no memory. */
const maxLineLength = 2 ** 20;

/**
 * Opens a file whose lines can be read several times; "-" stands for stdin. Copies stdin, and what is no plain file, to the directory
 * first.
 */
export async function openLines(
  file: string,
  directory: string,
): Promise<AsyncIterable<string> & AsyncDisposable> {
  try {
    const handle = await openRepeatable(file, directory);
    return {
      [Symbol.asyncIterator]: () => linesOf(handle),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    const name = file === '-' ? 'stdin' : file;
    throw new StartupError(`Cannot read ${name} (${reasonOf(error)}). Nothing was imported.`, {
      cause: error,
    });
  }
}

async function openRepeatable(file: string, directory: string): Promise<FileHandle> {
  if (file === '-') return copy(process.stdin, directory);
  const handle = await open(file);
  if ((await handle.stat()).isFile()) return handle;
  return copy(handle.createReadStream(), directory);
}

async function copy(source: Readable, directory: string): Promise<FileHandle> {
  await createDirectory(directory);
  const path = join(directory, `import-${process.pid}`);
  const handle = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600);
  // Removed while it is open, so that no kill leaves a copy, which no erasure would find.
  await rm(path);
  await handle.writeFile(source);
  return handle;
}

/** Ends lines at line feeds alone: `readline` also ends them at U+2028, which JSON does not escape. */
async function* linesOf(handle: FileHandle): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false, encoding: 'utf8' })) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > maxLineLength) {
      yield 'no lead';
      return;
    }
  }
  yield rest;
}
