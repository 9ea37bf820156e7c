import type {
  Asset,
  ReleaseDocument,
  RemoteRelease,
  RemoteVersion,
} from '@countersign/contracts/release-document';
import { servableVersions } from '@countersign/contracts/release-versions';
import type { HydrationTiming } from '@countersign/contracts/hydration-timing';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { SlotModule } from '@countersign/contracts/shell-api';
import type { CanaryGroup } from '@countersign/contracts/telemetry';
import { createInstance, type ModuleFederation } from '@module-federation/enhanced/runtime';
import { entryBundleLoader, readEntryBundle, type EntryBundleLoader } from './entry-bundle.ts';
import { integrityPlugin, scriptFor } from './integrity-plugin.ts';
import { absoluteUrl, integrityMap } from './integrity-map.ts';
import { loadStyles } from './load-styles.ts';
import { retryFailedLoads } from './retry-failed-loads.ts';
import { shareScope } from './share-scope.ts';
import { trustedScriptUrls } from './trusted-script-urls.ts';

/** One published version of a remote that a slot can load. */
export interface LoadAttempt {
  readonly version: string;
  /** When the slot loads and hydrates it. */
  readonly hydration: HydrationTiming;
  /** Requests the scripts, without running them. Ignored by browsers that refuse preloads of scripts. */
  preload(): void;
  /** Loads the exposed module. Every call returns the same promise; after a rejection the next call loads again. */
  load(): Promise<SlotModule>;
}

/** Finds the versions that a slot can load. */
export interface RemoteLoader {
  /** Versions to try for an exposed key, best first. Empty if the release document has none. */
  attempts(remote: RemoteName, exposed: string): readonly LoadAttempt[];
}

/**
 * Creates a federation host that knows all remotes of the release document. Call it once per page.
 *
 * @param variants remote → the variant that this visitor gets
 * @param onLoadStart called when a load starts, before any code of the version runs
 */
export function createRemoteLoader(
  release: ReleaseDocument,
  variants: Readonly<Partial<Record<RemoteName, CanaryGroup>>> = {},
  onLoadStart: (remote: RemoteName, version: string) => void = () => undefined,
): RemoteLoader {
  const versions = Object.values(release.remotes).flatMap(servableVersions);
  const bundle = readEntryBundle();
  const files = new Map(integrityMap(release));
  if (bundle) files.set(bundle.url, bundle.integrity);
  const trusted = trustedScriptUrls(files);
  retryFailedLoads(trusted);
  const bundled = entryBundleLoader(bundle, (url) => scriptFor(url, files, trusted));
  const federation = createInstance({
    name: 'shell',
    remotes: versions.map(({ globalName, entry }) => ({
      name: globalName,
      entry: absoluteUrl(entry.url),
      entryGlobalName: globalName,
      type: 'global',
    })),
    plugins: [integrityPlugin(files, trusted)],
  });
  federation.initShareScopeMap('default', shareScope);

  const cache = new Map<string, readonly LoadAttempt[]>();
  return {
    attempts(remote, exposed) {
      const key = `${remote}/${exposed}`;
      const found =
        cache.get(key) ??
        versionsToTry(release.remotes[remote], variants[remote]).map((version) =>
          createAttempt(federation, bundled, version, exposed, () => onLoadStart(remote, version.version)),
        );
      cache.set(key, found);
      return found;
    },
  };
}

/** If a canary fails, the visitor gets the live version. */
function versionsToTry(
  release: RemoteRelease | undefined,
  group: CanaryGroup = 'stable',
): readonly RemoteVersion[] {
  if (!release) return [];
  const { live, previous, canary } = release;
  return [group === 'canary' ? canary?.version : undefined, live, previous].filter(
    (version) => version !== undefined,
  );
}

function createAttempt(
  federation: ModuleFederation,
  bundled: EntryBundleLoader,
  release: RemoteVersion,
  exposed: string,
  onLoadStart: () => void,
): LoadAttempt {
  const { version, globalName, entry, hydration, exposes } = release;
  let module: Promise<SlotModule> | undefined;
  const start = async () => {
    onLoadStart();
    try {
      const [loaded] = await Promise.all([
        bundled.load(entry).then(() => loadModule(federation, exposed.replace('.', globalName))),
        loadStyles(exposes[exposed]?.styles ?? []),
      ]);
      return loaded;
    } catch (error) {
      module = undefined;
      throw error;
    }
  };
  return {
    version,
    hydration: hydration?.[exposed] ?? 'load',
    preload: () => {
      for (const script of exposes[exposed]?.scripts ?? [])
        if (!bundled.includes(script)) preloadScript(script);
    },
    load: () => (module ??= start()),
  };
}

/** The attributes must equal those of the later request, otherwise the browser loads the file twice. */
function preloadScript({ url, integrity }: Asset): void {
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = 'script';
  link.crossOrigin = 'anonymous';
  link.integrity = integrity;
  link.href = url;
  document.head.append(link);
}

async function loadModule(federation: ModuleFederation, id: string): Promise<SlotModule> {
  const module = await federation.loadRemote<SlotModule>(id);
  if (typeof module?.default !== 'function') throw new Error(`${id} exposes no component.`);
  return module;
}
