/** `npm run pack` of a package: packs it for other repositories, into `dist/` or the folder in the argument. */
import { join, resolve } from 'node:path';
import { packPackage } from './pack-package.ts';
import { PackingError } from './packing-error.ts';

try {
  const folder = process.cwd();
  console.log(await packPackage(folder, resolve(process.argv[2] ?? join(folder, 'dist'))));
} catch (error) {
  if (!(error instanceof PackingError)) throw error;
  console.error(`pack: ${error.message}`);
  process.exitCode = 1;
}
