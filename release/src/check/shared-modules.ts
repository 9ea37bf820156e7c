import type { PartManifest } from '@countersign/contracts/part-manifest';
import semver from 'semver';
import { namedVersions } from '../flip/named-versions.ts';
import { readVersion } from '../flip/stored-version.ts';
import { namePlaces, type Finding, type Rule } from './finding.ts';

/**
 * Plays through how federation would agree on the modules that parts have in common: the shell provides one copy of
 * each, and every part must be content with it. Nobody may bring a second copy of what there must be one of.
 */
export const sharedModules: Rule = async ({ store, next }) => {
  const manifests: PartManifest[] = [];
  for (const { part, version } of namedVersions(next)) {
    manifests.push((await readVersion(store, part, version)).manifest);
  }
  const shell = manifests.find(({ name }) => name === 'shell');
  return manifests.flatMap((manifest) => disagreements(manifest, shell));
};

function disagreements(manifest: PartManifest, shell: PartManifest | undefined): Finding[] {
  const { name: part, version, shared } = manifest;
  const finding = (sentence: string): Finding => ({ rule: 'shared-modules', part, sentence });
  if (!shared) {
    return [finding(`${part} ${version} does not say which modules it shares. Build and publish it anew.`)];
  }
  // Modules that are released together, such as react and react-dom, disagree for one reason.
  const reasons = new Map<string, string[]>();
  for (const [module, wanted] of Object.entries(shared)) {
    const reason = JSON.stringify([wanted, shell?.shared?.[module]?.provided]);
    reasons.set(reason, [...(reasons.get(reason) ?? []), module]);
  }
  return [...reasons.values()].flatMap((modules) => {
    const [first = ''] = modules;
    const { range, provided } = shared[first] ?? { range: '*' };
    const names = namePlaces(modules);
    const offered = shell?.shared?.[first]?.provided;
    if (offered === undefined) {
      return [
        finding(
          `${part} ${version} wants ${names} ${range}, which the shell does not provide. Build ${modules.length === 1 ? 'it in instead of sharing it' : 'them in instead of sharing them'}.`,
        ),
      ];
    }
    if (!semver.satisfies(offered, range, { includePrerelease: true })) {
      return [
        finding(
          `${part} ${version} wants ${names} ${range}, but the page has ${offered}. Build it for that version, or have the shell's team release one that provides yours.`,
        ),
      ];
    }
    if (manifest !== shell && provided !== undefined) {
      return [
        finding(
          `${part} ${version} brings its own ${names} ${provided}: two copies would load, and break each other. Share ${modules.length === 1 ? 'it' : 'them'} with import: false.`,
        ),
      ];
    }
    return [];
  });
}
