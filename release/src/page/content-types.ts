import { extname } from 'node:path';
import { contentType } from 'mime-types';

/** Content type of a file on the site. With `nosniff`, browsers neither execute nor render that of unknown extensions. */
export function contentTypeOf(name: string): string {
  return contentType(extname(name)) || 'application/octet-stream';
}
