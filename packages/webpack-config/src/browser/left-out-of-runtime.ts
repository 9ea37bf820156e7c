/**
 * Replaces modules of the federation runtime that the page never runs: it names every entry itself, so it reads no
 * manifest, and it preloads files itself.
 */
export class SnapshotHandler {
  readonly hooks = { applyPlugin: () => undefined, removePlugin: () => undefined };
}

export const getGlobalRemoteInfo = () => ({});
export const formatPreloadArgs = () => [];
export const normalizePreloadExposes = () => [];
export const defaultPreloadArgs = () => ({});
export const preloadAssets = () => undefined;
