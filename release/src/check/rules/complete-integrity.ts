import { fileIntegrityGlobal } from '@countersign/contracts/file-integrity';
import type { Asset } from '@countersign/contracts/release-document';
import { initialChunks } from '../../store/stored-version.ts';
import { summarizeList } from '../../platform/summarize-list.ts';
import type { VersionRule } from './version-rule.ts';

/**
 * The page's integrity policy makes browsers refuse scripts that are requested without a hash. Stylesheets without one would load
 * unchecked. The shell requests the entry with its hash from the release document. The part's own loader requests lazy chunks, so it
 * must read their hashes from the page, or a script must contain them.
 */
export const completeIntegrity: VersionRule = async ({ store, manifest, lazyChunks }) => {
  if (!lazyChunks) return [];
  const { name, version } = manifest;
  const folder = `/${name}/${version}/`;
  const fileOf = ({ url }: Asset) => url.slice(folder.length);
  const read = async (files: readonly string[]) =>
    (await Promise.all(files.map((file) => store.readFile(name, version, file)))).join('\n');
  const initial = await read(initialChunks(manifest).flatMap(({ scripts }) => scripts));
  if (initial.includes(fileIntegrityGlobal)) return [];
  // Hashes cannot be circular, so if each lazy file's hash occurs in some script, an initial script leads to each.
  const scripts = initial + (await read(lazyChunks.scripts.map(fileOf)));
  const uncovered = [...lazyChunks.scripts, ...lazyChunks.styles].filter(
    ({ integrity }) => !scripts.includes(integrity),
  );
  if (uncovered.length === 0) return [];
  return [
    `loads ${summarizeList(uncovered.map(fileOf))} without a hash that the page checks. Build it with the project's webpack configuration, or remove what is not needed.`,
  ];
};
