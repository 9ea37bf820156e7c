import { join } from 'node:path';

/** Absolute path of a module of this package that others start or compile by its path: `browser/refresh-runtime`. */
export function sourceFile(name: string): string {
  return join(import.meta.dirname, '..', `${name}.ts`);
}
