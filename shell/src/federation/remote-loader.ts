import type { ReleaseDocument, RemoteVersion } from '@countersign/contracts/release-document';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { SlotModule } from '@countersign/contracts/shell-api';
import { loadRemote, registerPlugins, registerRemotes } from '@module-federation/enhanced/runtime';
import { integrityPlugin } from './integrity-plugin.ts';
import { knownFiles } from './known-files.ts';
import { versionsOf } from './versions-of.ts';

/** One stored version of a remote that a slot can try. */
export interface Candidate {
  readonly version: string;
  /** Loads the exposed module. Rejects when the version cannot be had; the same promise on every call. */
  load(): Promise<SlotModule>;
}

/** Finds what a slot shows. */
export interface RemoteLoader {
  /** Versions to try for an exposed key, best first. Empty when the release document has none. */
  candidates(remote: RemoteName, exposed: string): readonly Candidate[];
}

/** Registers everything that the release document names, and loads from it. Call it once per page. */
export function createRemoteLoader(release: ReleaseDocument): RemoteLoader {
  const versions = Object.values(release.remotes).flatMap(versionsOf);
  registerPlugins([integrityPlugin(knownFiles(release))]);
  registerRemotes(
    versions.map(({ globalName, entry }) => ({
      name: globalName,
      entry: new URL(entry.url, location.origin).href,
      entryGlobalName: globalName,
      type: 'global',
    })),
  );

  const known = new Map<string, readonly Candidate[]>();
  return {
    candidates(remote, exposed) {
      const key = `${remote}/${exposed}`;
      const found = known.get(key) ?? candidatesOf(release.remotes[remote]).map((v) => candidate(v, exposed));
      known.set(key, found);
      return found;
    },
  };
}

function candidatesOf(release: ReleaseDocument['remotes'][RemoteName]): readonly RemoteVersion[] {
  if (!release) return [];
  return release.previous ? [release.live, release.previous] : [release.live];
}

function candidate({ version, globalName }: RemoteVersion, exposed: string): Candidate {
  let module: Promise<SlotModule> | undefined;
  return {
    version,
    load: () => (module ??= loadModule(exposed.replace('.', globalName))),
  };
}

async function loadModule(id: string): Promise<SlotModule> {
  const module = await loadRemote<SlotModule>(id);
  if (typeof module?.default !== 'function') throw new Error(`${id} exposes no component.`);
  return module;
}
