import { fileIntegrityGlobal } from '@countersign/contracts/file-integrity';
import { summarizeList } from './summarize-list.ts';
import type { Asset } from '@countersign/contracts/release-document';
import { initialChunks, readVersion } from '../store/stored-version.ts';
import { newlyReferencedVersions } from '../store/referenced-versions.ts';
import type { Rule } from './violation.ts';

/**
 * The page's integrity policy makes browsers refuse scripts that are requested without a hash. Stylesheets without one would load
 * unchecked. The shell requests the entry with its hash from the release document. The part's own loader requests lazy chunks, so it
 * must contain their hashes or read them from the page: a hash counts only in a script whose own hash is known.
 */
export const completeIntegrity: Rule = async (candidate) => {
  const violations: string[] = [];
  for (const { part, version } of newlyReferencedVersions(candidate.live, candidate.next)) {
    const { manifest, lazyChunks } = await readVersion(candidate.store, part, version);
    const lazyAssets = [...(lazyChunks?.scripts ?? []), ...(lazyChunks?.styles ?? [])];
    const uncovered = new Map(lazyAssets.map((asset) => [fileOf(asset), asset]));
    const scripts = new Set(initialChunks(manifest).flatMap((chunk) => chunk.scripts));
    // A covered lazy chunk is appended to the set, because it may contain the hash of the next one.
    for (const script of scripts) {
      const text = await candidate.store.readFile(part, version, script);
      const asksThePage = text.includes(fileIntegrityGlobal);
      for (const [file, { integrity }] of uncovered) {
        if (!asksThePage && !text.includes(integrity)) continue;
        uncovered.delete(file);
        if (file.endsWith('.js')) scripts.add(file);
      }
    }
    if (uncovered.size === 0) continue;
    const [whose, files] = uncovered.size === 1 ? ['hash stands', 'file'] : ['hashes stand', 'files'];
    violations.push(
      `${part} ${version} holds ${summarizeList([...uncovered.keys()])}, whose ${whose} nowhere in what the page checks. Build it with the project's webpack configuration, or remove the ${files}.`,
    );
  }
  return violations;
};

/** The path of a file inside its version: the URL without the part's name and version. */
function fileOf({ url }: Asset): string {
  return url.split('/').slice(3).join('/');
}
