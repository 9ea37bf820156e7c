import { extname } from 'node:path';
import { contentTypeOf } from '../content-types.ts';

/** What an object store tells whoever fetches an object. */
export interface ObjectHeaders {
  readonly ContentType: string;
  readonly CacheControl: string;
  readonly ContentEncoding?: string;
}

const encodings: Readonly<Record<string, string>> = { '.br': 'br', '.gz': 'gzip' };

/**
 * Headers that go with an object. Published versions never change, so a browser may keep them for good; of everything
 * else it asks each time whether it is still the newest. A compressed copy has the type of what it holds.
 */
export function objectHeaders(key: string): ObjectHeaders {
  const ContentEncoding = encodings[extname(key)];
  const name = ContentEncoding ? key.slice(0, -extname(key).length) : key;
  return {
    ContentType: contentTypeOf(name),
    CacheControl: key.startsWith('parts/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(ContentEncoding ? { ContentEncoding } : {}),
  };
}
