import type { RemoteName } from '@countersign/contracts/remotes';
import type { ReleaseStore } from '../../store/release-store.ts';
import { initialChunks, readVersion } from '../../store/stored-version.ts';
import { readSizes, totalOf } from '../rules/size-budget.ts';

/** Limit of the images and fonts that a part loads before it is used, in kilobytes. */
const maxMedia = 1_000;

/**
 * Finds remotes that load more script than their budget, lazy chunks included, or over 1 MB of images and fonts, before a visitor uses
 * them. Returns predicates.
 *
 * @param loaded paths of the files that the page has loaded
 */
export async function findHeavyParts(
  store: ReleaseStore,
  remotes: ReadonlyMap<RemoteName, string>,
  loaded: readonly string[] = [],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [part, version] of remotes) {
    const { manifest } = await readVersion(store, part, version);
    const folder = `/${part}/${version}/`;
    const files = loaded.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length));
    // The page may bundle the entry with those of other parts.
    const initial = initialChunks(manifest).flatMap(({ scripts }) => scripts);
    const scripts = [...initial, ...files.filter((file) => file.endsWith('.js'))];
    const script = totalOf(await readSizes(store, manifest, scripts, '.br'));
    const others = files.filter((file) => !/\.(js|css|html|json)$/.test(file));
    const media = totalOf(await readSizes(store, manifest, others));
    const budget = manifest.budget?.script ?? Infinity;
    const before = `of ${part} before it is used, more than`;
    if (script > budget)
      found.push(`loads ${script.toFixed(1)} kB of script ${before} its budget of ${budget} kB`);
    if (media > maxMedia)
      found.push(`loads ${media.toFixed(0)} kB of images and fonts ${before} ${maxMedia} kB`);
  }
  return found;
}
