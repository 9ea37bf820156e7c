import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../store/release-error.ts';
import { callHeader, type CallHeader } from './call-messages.ts';

/** In bytes. Room for the names of all files. */
const maxHeader = 2_000_000;

/**
 * Reads a call, and writes the files of its build into an empty folder, piece by piece. Throws a {@link UsageError} if the
 * request is not as `call-messages.ts` says.
 *
 * @param accept is called before any file is written, and throws if the call must not run. Its outcome is the result
 */
export async function readCall<Accepted>(
  body: AsyncIterable<Buffer>,
  folder: string,
  accept: (header: CallHeader) => Promise<Accepted>,
): Promise<Accepted> {
  const reader = new BodyReader(body);
  try {
    return await read(reader, folder, accept);
  } finally {
    await reader.close();
  }
}

async function read<Accepted>(
  reader: BodyReader,
  folder: string,
  accept: (header: CallHeader) => Promise<Accepted>,
): Promise<Accepted> {
  const header = parseHeader(await reader.line());
  const accepted = await accept(header);
  for (const { name, size } of header.build?.files ?? []) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true }).catch(refuseName);
    // Only a new file: two names may mean the same one.
    const file = await open(path, 'wx').catch(refuseName);
    try {
      for await (const piece of reader.pieces(size)) await file.writeFile(piece);
    } finally {
      await file.close();
    }
  }
  if (!(await reader.isAtEnd())) throw malformed();
  return accepted;
}

function parseHeader(line: string): CallHeader {
  try {
    return callHeader.parse(JSON.parse(line));
  } catch (cause) {
    throw malformed(cause);
  }
}

function refuseName(cause: unknown): never {
  throw malformed(cause);
}

function malformed(cause?: unknown): UsageError {
  return new UsageError(
    'The release server does not understand this call. Use the same version of the release command as the server.',
    { cause },
  );
}

/** Reads a line and then bytes of a body, of which it keeps one piece in memory. */
class BodyReader {
  readonly #body: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(body: AsyncIterable<Buffer>) {
    this.#body = body[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    const pieces: Buffer[] = [];
    for (let length = 0; ;) {
      const next = await this.#next();
      if (!next || length > maxHeader) throw malformed();
      const end = next.indexOf('\n');
      pieces.push(end < 0 ? next : next.subarray(0, end));
      length += next.length;
      if (end < 0) continue;
      this.#rest = next.subarray(end + 1);
      return Buffer.concat(pieces).toString();
    }
  }

  async *pieces(size: number): AsyncGenerator<Buffer> {
    for (let missing = size; missing > 0;) {
      if (this.#rest.length === 0) this.#rest = (await this.#next()) ?? refuseName(undefined);
      const piece = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(piece.length);
      missing -= piece.length;
      yield piece;
    }
  }

  async isAtEnd(): Promise<boolean> {
    return this.#rest.length === 0 && (await this.#next()) === undefined;
  }

  /** Lets others read what is left of the body. */
  async close(): Promise<void> {
    await this.#body.return?.();
  }

  async #next(): Promise<Buffer | undefined> {
    const next = await this.#body.next();
    return next.done === true ? undefined : next.value;
  }
}
