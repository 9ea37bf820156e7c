import { createRequire } from 'node:module';
import type {
  SharedModule as ManifestSharedModule,
  SharedModuleName,
} from '@countersign/contracts/part-manifest';

/** Federation options of a shared module. */
interface SharedModule {
  /** One instance per page, because hooks and contexts break with two. */
  readonly singleton: true;
  /** Range that the provided copy must satisfy. A remote with another major version is refused. */
  readonly requiredVersion: string;
  /** Throws, instead of warning, if the provided copy is out of range. */
  readonly strictVersion: true;
}

const react = {
  singleton: true,
  requiredVersion: '^19.3.0',
  strictVersion: true,
} as const satisfies SharedModule;

/**
 * Modules with one copy per page. The shell provides them at run time
 * (`shell/src/federation/remote-loader.ts`).
 */
export const sharedModules = {
  react,
  'react-dom': react,
  'react/jsx-runtime': react,
} as const satisfies Record<SharedModuleName, SharedModule>;

/** Module of the federation runtime. The shell provides it as a global variable, because containers need it to share modules. */
export const runtimeModule = '@module-federation/webpack-bundler-runtime';

type SharedModuleRecord = Record<string, ManifestSharedModule>;

/** Shared modules in the manifest of a remote: ranges only. */
export const sharedByRemotes: SharedModuleRecord = {
  ...Object.fromEntries(
    Object.entries(sharedModules).map(([name, { requiredVersion }]) => [name, { range: requiredVersion }]),
  ),
  // As in `package.json`. The pre-deploy check refuses a remote if the runtime of the live shell is out of this range.
  [runtimeModule]: { range: '^2.9.3' },
};

/** Shared modules in the manifest of the shell: ranges and provided versions. */
export function sharedByShell(): SharedModuleRecord {
  const require = createRequire(import.meta.url);
  const versionOf = (name: string) =>
    (require(`${name.replace('/jsx-runtime', '')}/package.json`) as { readonly version: string }).version;
  return Object.fromEntries(
    Object.entries(sharedByRemotes).map(([name, { range }]) => [name, { range, provided: versionOf(name) }]),
  );
}
