import { readVersion } from '../flip/stored-version.ts';
import { changedVersions } from './changed-versions.ts';
import type { Finding, Rule } from './finding.ts';

/**
 * Every script and style of a version must be covered: its hash stands in the release document, or in a script that is
 * covered itself. One that is not would be refused by the page, or worse, would run unchecked.
 */
export const completeIntegrity: Rule = async (candidate) => {
  const findings: Finding[] = [];
  for (const { part, version } of changedVersions(candidate)) {
    const { manifest } = await readVersion(candidate.store, part, version);
    const hashes = (await candidate.store.hashesOf(part, version)) ?? {};
    const named = [manifest.entry, ...Object.values(manifest.exposes)];
    const covered = new Set(named.flatMap(({ scripts, styles }) => [...scripts, ...styles]));
    const left = new Set(
      Object.keys(hashes).filter((file) => /\.(js|css)$/.test(file) && !covered.has(file)),
    );
    // A script that has just been found covered may cover the next one.
    for (const file of covered) {
      if (!file.endsWith('.js')) continue;
      const text = await candidate.store.readFile(part, version, file);
      for (const other of left) {
        if (!text.includes(hashes[other] ?? '\0')) continue;
        covered.add(other);
        left.delete(other);
      }
    }
    for (const file of left) {
      findings.push({
        rule: 'complete-integrity',
        part,
        sentence: `${part} ${version} holds ${file}, whose hash stands nowhere in what the page checks. Build it with the project's webpack configuration, or leave the file out.`,
      });
    }
  }
  return findings;
};
