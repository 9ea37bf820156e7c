import { extname } from 'node:path';
import { contentTypeOf } from '../platform/content-types.ts';

/** HTTP headers that an object store sends with an object. */
export interface ObjectHeaders {
  readonly ContentType: string;
  readonly CacheControl: string;
  readonly ContentEncoding?: string;
}

const encodings: Readonly<Record<string, string>> = { '.br': 'br', '.gz': 'gzip' };

/**
 * Headers of an object. Files of published versions are immutable; browsers revalidate all others. A compressed copy has
 * the content type of its original.
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
