/**
 * Replaces modules of the federation runtime that the page can do without. It names every entry itself, so it reads no
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

/** Error messages have their code and the address of its documentation, which the texts repeat. */
export const runtimeDescMap = {};
export const typeDescMap = {};
export const buildDescMap = {};
export const errorDescMap = {};

/** The runtime's own logger adds a prefix, and stack traces in a debug mode. */
export const createLogger = () => console;
export const createInfrastructureLogger = createLogger;
export const bindLoggerToCompiler = () => undefined;
export const logger = console;
export const infrastructureLogger = console;
