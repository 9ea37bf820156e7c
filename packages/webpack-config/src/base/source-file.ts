import { extname, join } from 'node:path';

/** JavaScript if this package was packed, because Node.js does not strip types below `node_modules`. */
const extension = extname(import.meta.filename);

/** Absolute path of a module of this package that others start or compile by its path: `browser/remount`. */
export function sourceFile(name: string): string {
  return join(import.meta.dirname, '..', `${name}${extension}`);
}
