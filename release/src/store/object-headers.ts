import { extname } from 'node:path';

/** What an object store tells whoever fetches an object. */
export interface ObjectHeaders {
  readonly ContentType: string;
  readonly CacheControl: string;
  readonly ContentEncoding?: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mp4': 'video/mp4',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
};

const encodings: Readonly<Record<string, string>> = { '.br': 'br', '.gz': 'gzip' };

/**
 * Headers that go with an object. Published versions never change, so a browser may keep them for good; of everything
 * else it asks each time whether it is still the newest. A compressed copy has the type of what it holds.
 */
export function objectHeaders(key: string): ObjectHeaders {
  const ContentEncoding = encodings[extname(key)];
  const name = ContentEncoding ? key.slice(0, -extname(key).length) : key;
  return {
    ContentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    CacheControl: key.startsWith('parts/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(ContentEncoding ? { ContentEncoding } : {}),
  };
}
