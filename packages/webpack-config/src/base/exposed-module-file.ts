import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Source file of an exposed key, relative to the remote's folder: `./pricing` → `./src/pricing.tsx`, or
 * `./src/pricing/pricing.tsx` where the block has a folder of its own.
 */
export function exposedModuleFile(root: string, key: string): string {
  const name = key.replace('./', '');
  const inFolder = `./src/${name}/${name}.tsx`;
  return existsSync(join(root, inFolder)) ? inFolder : `./src/${name}.tsx`;
}
