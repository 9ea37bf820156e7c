import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, type BrotliOptions } from 'node:zlib';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Begins a file of the content coding `dcb`, before the SHA-256 of the dictionary and the Brotli stream (RFC 9842). */
const magic = Uint8Array.of(0xff, 0x44, 0x43, 0x42);
const streamStart = magic.length + 32;

/** The SHA-256 of a file in base64, by which browsers name a dictionary. */
export function dictionaryName(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'base64');
}

/**
 * Path of a delta, relative to the folder of its file. `dictionary` is a {@link dictionaryName}: no file of a build has such a path,
 * because base64 ends with `=`. A `/` in it is one more folder.
 */
export function deltaName(dictionary: string, file: string): string {
  return `deltas/${dictionary}/${file}`;
}

/**
 * Creates a delta, with its path beside the file: the difference from an earlier file, the dictionary, which a browser may still have.
 * Decodes the delta and compares the result with the file, because Node.js does not document the option `dictionary`, and a wrong delta
 * costs a visitor the file. Throws if they differ.
 */
export async function createDelta(file: string, content: Uint8Array, dictionary: Uint8Array) {
  const stream = await compress(content, {
    dictionary,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  } as BrotliOptions);
  const name = dictionaryName(dictionary);
  // A browser compares this hash with that of its dictionary before it decodes the stream.
  const bytes = Buffer.concat([magic, Buffer.from(name, 'base64'), stream]);
  const decoded = await applyDelta(bytes, dictionary);
  if (Buffer.compare(decoded, content) !== 0) throw new Error(`The delta of ${file} is wrong.`);
  return { name: deltaName(name, file), bytes };
}

/** The file that a delta gives. Rejects if the delta is damaged. */
export function applyDelta(delta: Uint8Array, dictionary: Uint8Array): Promise<Uint8Array> {
  return decompress(delta.subarray(streamStart), { dictionary } as BrotliOptions);
}
