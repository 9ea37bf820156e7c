import { createHash } from 'node:crypto';
import { partManifest, partManifestFile, type ChunkFiles } from '@countersign/contracts/part-manifest';
import type { Asset } from '@countersign/contracts/release-document';
import type { RemoteName } from '@countersign/contracts/remotes';
import { developmentFolderOf } from './create-development-config.ts';
import type { LocalRemote } from './development-page.ts';

/**
 * Describes the present build of a remote for the release document. Hashes are those of this moment: the shell refuses
 * files without one.
 *
 * @param readFile reads a file of the build
 */
export function describeLocalRemote(name: RemoteName, readFile: (file: string) => Uint8Array): LocalRemote {
  const manifest = partManifest.parse(JSON.parse(new TextDecoder().decode(readFile(partManifestFile))));
  const asset = (file: string): Asset => ({
    url: `${developmentFolderOf(name)}${file}`,
    integrity: `sha384-${createHash('sha384').update(readFile(file)).digest('base64')}`,
  });
  const assets = ({ scripts, styles }: ChunkFiles) => ({
    scripts: scripts.map(asset),
    styles: styles.map(asset),
  });
  const [entry] = assets(manifest.entry).scripts;
  if (!entry) throw new Error(`The build of ${name} has no entry.`);
  return {
    name,
    version: {
      version: manifest.version,
      globalName: manifest.globalName ?? name,
      entry,
      exposes: Object.fromEntries(
        Object.entries(manifest.exposes).map(([key, files]) => [key, assets(files)]),
      ),
      hydration: Object.fromEntries(Object.keys(manifest.exposes).map((key) => [key, 'load'])),
    },
  };
}
