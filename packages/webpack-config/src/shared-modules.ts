import { createRequire } from 'node:module';
import type { SharedModule as SharedModuleFact } from '@countersign/contracts/part-manifest';

/** How federation treats a module that host and remotes must have in common. */
interface SharedModule {
  /** One copy on the page: a second instance would break it (hooks, contexts). */
  readonly singleton: true;
  /** Range a provided copy must satisfy. The page refuses a remote that wants another major. */
  readonly requiredVersion: string;
  /** Refuse, instead of warn, when the provided copy is out of range. */
  readonly strictVersion: true;
}

const react = {
  singleton: true,
  requiredVersion: '^19.3.0',
  strictVersion: true,
} as const satisfies SharedModule;

/** Everything that is loaded once for the whole page. The shell provides it; remotes carry no copy. */
export const sharedModules = {
  react,
  'react-dom': react,
  'react/jsx-runtime': react,
} as const satisfies Record<string, SharedModule>;

type Flags<Extra> = Readonly<Record<string, SharedModule & Extra>>;

function withFlag<Extra>(extra: Extra): Flags<Extra> {
  return Object.fromEntries(
    Object.entries(sharedModules).map(([name, module]) => [name, { ...module, ...extra }]),
  );
}

/** `eager`: in the shell's first script, because nothing renders without it. */
export const providedByShell = withFlag({ eager: true });

/** `import: false`: no fallback copy is built into a remote. */
export const takenFromShell = withFlag({ import: false as const });

type SharedModuleFacts = Record<string, SharedModuleFact>;

/** What the manifest of a remote says of shared modules: it brings none. */
export const sharedByRemotes: SharedModuleFacts = Object.fromEntries(
  Object.entries(sharedModules).map(([name, { requiredVersion }]) => [name, { range: requiredVersion }]),
);

/** What the manifest of the shell says of them: which copies it provides. */
export function sharedByShell(): SharedModuleFacts {
  const require = createRequire(import.meta.url);
  const versionOf = (name: string): string => require(`${name.split('/', 1)[0]}/package.json`).version;
  return Object.fromEntries(
    Object.entries(sharedByRemotes).map(([name, { range }]) => [name, { range, provided: versionOf(name) }]),
  );
}
