import { basename, extname } from 'node:path';
import { deltaFolder } from './delta-file.ts';
import { contentTypeOf } from './content-types.ts';

/** HTTP headers that an object store sends with an object. */
interface ObjectHeaders {
  readonly ContentType: string;
  readonly CacheControl: string;
  readonly ContentEncoding?: string;
}

const encodings: Readonly<Record<string, string>> = { '.br': 'br', '.gz': 'gzip' };

/**
 * A file at the root of the site whose name has a hash of its content, a font or the entry bundle: it never changes, and releases
 * with the same file share its address.
 */
export const hashedPublicFile = /^[\w-]+\.[0-9a-f]{8,}\.(?:woff2|js)$/;

/** Types that browsers open as a document, whose scripts would run as the site's. SVG images are checked by `publish`. */
const documentTypes = /^(?:text\/html|application\/xml)\b/;

/**
 * Headers of an object. Files of published versions, fonts and the entry bundle are immutable; browsers revalidate all others. A compressed copy has
 * the content type of its original. Documents in parts have the type of plain text, because a bucket stores no policy that
 * blocks their scripts.
 */
export function objectHeaders(key: string): ObjectHeaders {
  const copied = encodings[extname(key)];
  const name = copied ? key.slice(0, -extname(key).length) : key;
  const ContentEncoding = key.includes(`/${deltaFolder}`) ? 'dcb' : copied;
  const isPart = key.startsWith('parts/');
  const type = contentTypeOf(name);
  return {
    ContentType: isPart && documentTypes.test(type) ? contentTypeOf('document.txt') : type,
    CacheControl:
      isPart || hashedPublicFile.test(basename(key)) ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(ContentEncoding ? { ContentEncoding } : {}),
  };
}
