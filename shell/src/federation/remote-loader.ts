import type { ReleaseDocument, RemoteRelease, RemoteVersion } from '@countersign/contracts/release-document';
import type { HydrationTiming } from '@countersign/contracts/hydration-timing';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { SlotModule } from '@countersign/contracts/shell-api';
import type { CanaryGroup } from '@countersign/contracts/telemetry';
import { loadRemote, registerPlugins, registerRemotes } from '@module-federation/enhanced/runtime';
import { integrityPlugin } from './integrity-plugin.ts';
import { knownFiles } from './known-files.ts';
import { loadStyles } from './load-styles.ts';
import { repeatOfflineLoads } from './repeat-offline-loads.ts';
import { scriptAddresses } from './script-addresses.ts';
import { versionsOf } from './versions-of.ts';

/** One stored version of a remote that a slot can try. */
export interface Candidate {
  readonly version: string;
  /** When the slot needs it. */
  readonly hydration: HydrationTiming;
  /** Loads the exposed module: the same promise on every call until it rejects, then another attempt. */
  load(): Promise<SlotModule>;
}

/** Finds what a slot shows. */
export interface RemoteLoader {
  /** Versions to try for an exposed key, best first. Empty when the release document has none. */
  candidates(remote: RemoteName, exposed: string): readonly Candidate[];
}

/**
 * Registers everything that the release document names, and loads from it. Call it once per page.
 *
 * @param groups remote → whether this visitor gets its canary, where there is one
 * @param onBegin is called whenever a load begins, before any code of the version runs
 */
export function createRemoteLoader(
  release: ReleaseDocument,
  groups: Readonly<Partial<Record<RemoteName, CanaryGroup>>> = {},
  onBegin: (remote: RemoteName, version: string) => void = () => undefined,
): RemoteLoader {
  const versions = Object.values(release.remotes).flatMap(versionsOf);
  const files = knownFiles(release);
  const trusted = scriptAddresses(files);
  repeatOfflineLoads(trusted);
  registerPlugins([integrityPlugin(files, trusted)]);
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
      const found =
        known.get(key) ??
        candidatesOf(release.remotes[remote], groups[remote]).map((version) =>
          candidate(version, exposed, () => onBegin(remote, version.version)),
        );
      known.set(key, found);
      return found;
    },
  };
}

/** A canary that fails is replaced by what everybody else gets. */
function candidatesOf(
  release: RemoteRelease | undefined,
  group: CanaryGroup = 'stable',
): readonly RemoteVersion[] {
  if (!release) return [];
  const { live, previous, canary } = release;
  return [group === 'canary' ? canary?.version : undefined, live, previous].filter(
    (version) => version !== undefined,
  );
}

function candidate(release: RemoteVersion, exposed: string, onBegin: () => void): Candidate {
  const { version, globalName, hydration, exposes } = release;
  let module: Promise<SlotModule> | undefined;
  const attempt = async () => {
    onBegin();
    try {
      const [loaded] = await Promise.all([
        loadModule(exposed.replace('.', globalName)),
        loadStyles(exposes[exposed]?.styles ?? []),
      ]);
      return loaded;
    } catch (error) {
      module = undefined;
      throw error;
    }
  };
  return { version, hydration: hydration?.[exposed] ?? 'load', load: () => (module ??= attempt()) };
}

async function loadModule(id: string): Promise<SlotModule> {
  const module = await loadRemote<SlotModule>(id);
  if (typeof module?.default !== 'function') throw new Error(`${id} exposes no component.`);
  return module;
}
