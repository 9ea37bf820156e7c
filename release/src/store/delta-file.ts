import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, type BrotliOptions } from 'node:zlib';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Begins a file of the content coding `dcb`, before the SHA-256 of the dictionary and the Brotli stream (RFC 9842). */
const magic = Uint8Array.of(0xff, 0x44, 0x43, 0x42);
const streamStart = magic.length + 32;

/** Folder of the deltas of files beside it. No build may contain a folder of this name. */
const deltaFolder = 'deltas/';

/** A delta: a file as its difference from an earlier file, the dictionary, which the browser may still have. */
interface Delta {
  /** Path beside the file: `deltas/`, the name that the browser sends for the dictionary, and the file's own name. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Name of the file beside a delta with its SHA-256 in hexadecimal. A server that reads it never sends a damaged delta, which
 * would cost the visitor the page.
 */
export function checksumName(delta: string): string {
  return `${delta}.sha256`;
}

/** The SHA-256 of a file in base64, by which browsers name a dictionary. */
export function dictionaryName(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64');
}

/** Name of a delta beside its file. A `/` in the base64 is one more folder; neither server needs to decode it. */
export function deltaName(dictionary: string, file: string): string {
  return `${deltaFolder}${dictionary}/${file}`;
}

/** Content of the file with the checksum of a delta. */
export function checksumOf({ bytes }: Delta): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Whether a delta needs the dictionary of its name, and is as it was written. */
export function isSound({ name, bytes }: Delta, read: (name: string) => Uint8Array | undefined): boolean {
  const dictionary = dictionaryOf(bytes);
  const checksum = read(checksumName(name));
  // Folders join two slashes in the name of a dictionary.
  const isNamed = dictionary !== undefined && oneSlash(name).includes(oneSlash(`/${dictionary}/`));
  return (
    isNamed && checksum !== undefined && Buffer.from(checksum).toString() === checksumOf({ name, bytes })
  );
}

const oneSlash = (path: string) => path.replaceAll(/\/+/g, '/');

/**
 * Compresses a file with an earlier one as the dictionary. Decodes the result and compares it, because a wrong delta costs a
 * visitor the file, and Node.js does not document the option. Throws if they differ.
 */
export async function createDelta(file: string, content: Uint8Array, dictionary: Uint8Array): Promise<Delta> {
  const stream = await compress(content, {
    dictionary,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  } as BrotliOptions);
  const name = dictionaryName(dictionary);
  const bytes = Buffer.concat([magic, Buffer.from(name, 'base64'), stream]);
  const decoded = await applyDelta(bytes, dictionary, content.length);
  if (!decoded || Buffer.compare(decoded, content) !== 0) throw new Error(`The delta of ${file} is wrong.`);
  return { name: deltaName(name, file), bytes };
}

/** The name of the dictionary that a delta needs; `undefined` if it is no delta. */
function dictionaryOf(delta: Uint8Array): string | undefined {
  if (Buffer.compare(delta.subarray(0, magic.length), magic) !== 0) return undefined;
  return Buffer.from(delta.subarray(magic.length, streamStart)).toString('base64');
}

/**
 * The file that a delta gives; `undefined` if the delta is damaged, or gives more than `maxLength` bytes.
 */
export async function applyDelta(
  delta: Uint8Array,
  dictionary: Uint8Array,
  maxLength: number,
): Promise<Uint8Array | undefined> {
  const options = { dictionary, maxOutputLength: Math.max(maxLength, 1) } as BrotliOptions;
  return decompress(delta.subarray(streamStart), options).catch(() => undefined);
}
