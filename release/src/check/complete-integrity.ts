import { fileIntegrityGlobal } from '@countersign/contracts/file-integrity';
import type { Asset } from '@countersign/contracts/release-document';
import { readVersion } from '../flip/stored-version.ts';
import { changedVersions } from './changed-versions.ts';
import { namePlaces, type Finding, type Rule } from './finding.ts';

/**
 * The release document names the hash of every script and stylesheet, lazy chunks included, but browsers refuse a script
 * that is requested without its hash. The shell requests the entry with it. A lazy chunk is requested by the part's own
 * loader, which must ask the page for the hash, or hold it.
 */
export const completeIntegrity: Rule = async (candidate) => {
  const findings: Finding[] = [];
  for (const { part, version } of changedVersions(candidate)) {
    const { manifest, later } = await readVersion(candidate.store, part, version);
    const lazyChunks = later.later ?? { scripts: [], styles: [] };
    const left = new Map(
      [...lazyChunks.scripts, ...lazyChunks.styles].map((asset) => [fileOf(asset), asset]),
    );
    const named = [manifest.entry, ...Object.values(manifest.exposes)];
    const scripts = new Set(named.flatMap((chunk) => chunk.scripts));
    // A lazy chunk that has just been found to be covered may hold the hash of the next one.
    for (const script of scripts) {
      const text = await candidate.store.readFile(part, version, script);
      const asksThePage = text.includes(fileIntegrityGlobal);
      for (const [file, { integrity }] of left) {
        if (!asksThePage && !text.includes(integrity)) continue;
        left.delete(file);
        if (file.endsWith('.js')) scripts.add(file);
      }
    }
    if (left.size === 0) continue;
    const [whose, files] = left.size === 1 ? ['hash stands', 'file'] : ['hashes stand', 'files'];
    findings.push({
      rule: 'complete-integrity',
      part,
      sentence: `${part} ${version} holds ${namePlaces([...left.keys()])}, whose ${whose} nowhere in what the page checks. Build it with the project's webpack configuration, or leave the ${files} out.`,
    });
  }
  return findings;
};

/** The name of a file in its part: what follows the part's name and version. */
function fileOf({ url }: Asset): string {
  return url.split('/').slice(3).join('/');
}
