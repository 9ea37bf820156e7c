import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Kinds of file that shrink. Fonts and pictures are compressed already. */
const compressible = /\.(html|js|css|svg|json|txt|xml|webmanifest)$/;

/** The compressed copies to store beside a file: suffix → bytes. They are made once, when the file is published. */
export async function compressedCopies(name: string, bytes: Uint8Array): Promise<Record<string, Uint8Array>> {
  if (!compressible.test(name)) return {};
  const [br, gz] = await Promise.all([
    brotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    gzipped(bytes, { level: 9 }),
  ]);
  return { '.br': br, '.gz': gz };
}
