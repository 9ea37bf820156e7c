import { createHash } from 'node:crypto';
import type { Asset } from '@countersign/contracts/release-document';
import type { RemoteDefinition } from '@countersign/contracts/remotes';
import {
  developmentChunk,
  developmentEntry,
  developmentFolderOf,
  developmentGlobal,
  developmentVersion,
} from './create-development-config.ts';
import type { LocalRemote } from './development-page.ts';

/**
 * Describes the present build of a remote for the release document; `undefined` before the first one without errors. The
 * names of its files are fixed. The shell refuses files without a hash, so the hashes are those of this moment.
 *
 * @param readFile reads a file of the build, `undefined` if there is none
 */
export function describeLocalRemote(
  { name, exposes }: RemoteDefinition,
  readFile: (file: string) => Uint8Array | undefined,
): LocalRemote | undefined {
  const assets = (file: string): Asset[] => {
    const content = readFile(file);
    if (content === undefined) return [];
    const hash = createHash('sha256').update(content).digest('base64');
    return [{ url: `${developmentFolderOf(name)}${file}`, integrity: `sha256-${hash}` }];
  };
  const [entry] = assets(developmentEntry);
  // A failed build emits nothing, so the one before is served, if there was one.
  if (!entry) return undefined;
  const keys = Object.keys(exposes);
  return {
    name,
    version: {
      version: developmentVersion,
      globalName: developmentGlobal(name),
      entry,
      exposes: Object.fromEntries(
        keys.map((key) => {
          const chunk = developmentChunk(key);
          return [key, { scripts: assets(`${chunk}.js`), styles: assets(`${chunk}.css`) }];
        }),
      ),
      // At once, so that every change is visible without a press.
      hydration: Object.fromEntries(keys.map((key) => [key, 'load'])),
    },
  };
}
