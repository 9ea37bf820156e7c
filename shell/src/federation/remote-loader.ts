// blind spot (retryFailedLoads, 'shell', 'global', 'loaded, cache, 'stable', !release, return [], module, 'load', true → false, `^): no step loses a file or has two versions, but tests do; names are equivalent.
import type {
  Asset,
  ReleaseDocument,
  RemoteState,
  RemoteVersion,
} from '@countersign/contracts/release-document';
import { servableVersions } from '@countersign/contracts/release-versions';
import {
  federationRuntimeGlobal,
  type HydrationTiming,
  type RemoteName,
} from '@countersign/contracts/remotes';
import type { SharedModuleName } from '@countersign/contracts/part-manifest';
import type { SlotModule } from '@countersign/contracts/shell-api';
import type { CanaryGroup } from '@countersign/contracts/page-report';
import { createInstance, type ModuleFederation } from '@module-federation/enhanced/runtime';
import federationRuntime from '@module-federation/webpack-bundler-runtime';
import React from 'react';
import jsxRuntime from 'react/jsx-runtime';
import ReactDOM from 'react-dom';
import { entryBundleLoader, readEntryBundle, type EntryBundleLoader } from './entry-bundle.ts';
import { integrityPlugin, scriptFor } from './integrity-plugin.ts';
import { absoluteUrl, integrityMap } from './integrity-map.ts';
import { loadStyles } from './load-styles.ts';
import { retryFailedLoads } from './retry-failed-loads.ts';
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
 * @param groups remote → the group of this visitor
 */
export function createRemoteLoader(
  release: ReleaseDocument,
  groups: Readonly<Partial<Record<RemoteName, CanaryGroup>>> = {},
): RemoteLoader {
  const versions = Object.values(release.remotes).flatMap(servableVersions);
  const bundle = readEntryBundle();
  const files = new Map(integrityMap(release));
  if (bundle) files.set(bundle.url, bundle.integrity);
  const trustedUrl = trustedScriptUrls(files);
  retryFailedLoads(trustedUrl);
  const bundleLoader = entryBundleLoader(bundle, (url) => scriptFor(url, files, trustedUrl));
  // Containers of remotes start with the runtime of the shell, which none of them may replace.
  Object.defineProperty(globalThis, federationRuntimeGlobal, { value: federationRuntime });
  const federation = createInstance({
    name: 'shell',
    remotes: versions.map(({ globalName, entry }) => ({
      name: globalName,
      entry: absoluteUrl(entry.url),
      entryGlobalName: globalName,
      type: 'global',
    })),
    shareStrategy: 'loaded-first', // The default loads all remotes before the page starts.
    shared: {
      react: provide(React.version, React),
      'react-dom': provide(ReactDOM.version, ReactDOM),
      'react/jsx-runtime': provide(React.version, jsxRuntime),
    } satisfies Record<SharedModuleName, unknown>,
    plugins: [integrityPlugin(files, trustedUrl)],
  });

  const cache = new Map<string, readonly LoadAttempt[]>();
  return {
    attempts(remote, exposed) {
      const key = `${remote}/${exposed}`;
      const found =
        cache.get(key) ??
        versionsToTry(release.remotes[remote], groups[remote]).map((version) =>
          createAttempt(federation, bundleLoader, version, exposed),
        );
      cache.set(key, found);
      return found;
    },
  };
}

/** Best first: visitors get the live version if their canary fails, and the previous one if the live version fails. */
function versionsToTry(
  release: RemoteState | undefined,
  group: CanaryGroup = 'stable',
): readonly RemoteVersion[] {
  if (!release) return [];
  const { live, previous, canary } = release;
  // blind spot: journeys have no canary, but the tests of this file do.
  return [group === 'canary' ? canary?.version : undefined, live, previous].filter(
    (version) => version !== undefined,
  );
}

function createAttempt(
  federation: ModuleFederation,
  bundleLoader: EntryBundleLoader,
  remoteVersion: RemoteVersion,
  exposed: string,
): LoadAttempt {
  const { version, globalName, entry, hydration, exposes } = remoteVersion;
  let module: Promise<SlotModule> | undefined;
  const start = async () => {
    try {
      // The runtime's ID of `./pricing` is `mf-pricing@1.2.0/pricing`.
      const id = exposed.replace('.', globalName);
      const [loaded] = await Promise.all([
        // The runtime does not request an entry whose global variable the bundle has set.
        bundleLoader.load(entry).then(() => loadModule(federation, id)),
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
    // blind spot: equivalent but for requests, and the tests of this file count them.
    preload: () => {
      for (const script of exposes[exposed]?.scripts ?? [])
        if (!bundleLoader.includes(script)) preloadScript(script);
    },
    load: () => (module ??= start()),
  };
}

/** The attributes must equal those of the later request, otherwise the browser loads the file twice. */
// blind spot: equivalent but for requests, and the tests of this file count them.
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

/** A module of which the page has one copy. Containers refuse a version that they do not accept. */
function provide(version: string, module: unknown) {
  return {
    version,
    lib: () => module,
    shareConfig: { singleton: true, eager: true, requiredVersion: `^${version}` },
  };
}
