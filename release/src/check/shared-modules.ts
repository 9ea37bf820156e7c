import { referencedVersions } from '@countersign/contracts/release-versions';
import { summarizeList } from './summarize-list.ts';
import type { PartManifest } from '@countersign/contracts/part-manifest';
import semver from 'semver';
import { readVersion } from '../store/stored-version.ts';
import type { Rule } from './violation.ts';

/**
 * The shell provides the only copy of each module that parts share by Module Federation. Its version must satisfy the range
 * of every part, and no remote may bring a second copy.
 */
export const sharedModules: Rule = async ({ store, next }) => {
  const manifests: PartManifest[] = [];
  for (const { part, version } of referencedVersions(next)) {
    manifests.push((await readVersion(store, part, version)).manifest);
  }
  const shell = manifests.find(({ name }) => name === 'shell');
  return manifests.flatMap((manifest) => sharedModuleViolations(manifest, shell));
};

function sharedModuleViolations(manifest: PartManifest, shell: PartManifest | undefined): string[] {
  const { name: part, version, shared } = manifest;
  if (!shared) {
    return [`${part} ${version} does not list its shared modules. Build and publish it again.`];
  }
  // Modules of equal versions, such as react and react-dom, are one violation.
  const groups = new Map<string, string[]>();
  for (const [module, wanted] of Object.entries(shared)) {
    const versions = JSON.stringify([wanted, shell?.shared?.[module]?.provided]);
    groups.set(versions, [...(groups.get(versions) ?? []), module]);
  }
  return [...groups.values()].flatMap((modules) => {
    const [first = ''] = modules;
    const { range, provided } = shared[first] ?? { range: '*' };
    const names = summarizeList(modules);
    const offered = shell?.shared?.[first]?.provided;
    if (offered === undefined) {
      return [
        `${part} ${version} wants ${names} ${range}, which the shell does not provide. Build ${modules.length === 1 ? 'it in instead of sharing it' : 'them in instead of sharing them'}.`,
      ];
    }
    if (!semver.satisfies(offered, range, { includePrerelease: true })) {
      return [
        `${part} ${version} wants ${names} ${range}, but the page has ${offered}. Build it for that version, or have the shell's team release one that provides yours.`,
      ];
    }
    if (manifest !== shell && provided !== undefined) {
      return [
        `${part} ${version} brings its own ${names} ${provided}: two copies would load, and break each other. Share ${modules.length === 1 ? 'it' : 'them'} with import: false.`,
      ];
    }
    return [];
  });
}
