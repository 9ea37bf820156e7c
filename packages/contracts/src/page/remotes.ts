import type { SlotModule } from './shell-api.ts';

/**
 * When the page loads and hydrates an exposed component. Its markup is in the page from the start.
 *
 * - `load`: immediately. For controls at the top of the page.
 * - `idle`: in an idle callback.
 * - `visible`: when the component comes near the viewport, or on the first interaction with it.
 * - `interaction`: on the first interaction. For content that works as plain HTML.
 */
export const hydrationTimings = ['load', 'idle', 'visible', 'interaction'] as const;
export type HydrationTiming = (typeof hydrationTimings)[number];

/**
 * Kinds of size budgets:
 *
 * - `markup`: fragments of a remote, or the shell's document template. It is part of every page.
 * - `style`: stylesheets of the entry and of the exposed modules.
 * - `script`: scripts of the entry and of the exposed modules, without chunks that load on demand.
 */
export const budgetKinds = ['markup', 'style', 'script'] as const;
export type BudgetKind = (typeof budgetKinds)[number];

/** Kind → budget in kilobytes (1000 bytes, compressed with Brotli). */
export type SizeBudget = Readonly<Record<BudgetKind, number>>;

/**
 * Exposed modules of each remote. `remote.ts` of a remote must satisfy this type, and the shell's slot list may
 * use only these keys, so that a renamed key is a type error on the other side.
 */
export interface RemoteModules {
  'mf-header': {
    './header': SlotModule;
  };
  'mf-content': {
    './hero': SlotModule;
    './trust-indicators': SlotModule;
    './platform-availability': SlotModule;
    './features': SlotModule;
    './workflow': SlotModule;
    './multi-party-signing': SlotModule;
    './why-choose-us': SlotModule;
    './testimonials': SlotModule;
    './footer': SlotModule;
  };
  'mf-pricing': {
    './pricing': SlotModule;
  };
  'mf-leads': {
    './call-to-action': SlotModule;
  };
}

export const remoteNames = ['mf-header', 'mf-content', 'mf-pricing', 'mf-leads'] as const;
export type RemoteName = (typeof remoteNames)[number];

/** Source of a regular expression that matches the name of any remote, also of one that is not created yet: `mf-faq2`. */
export const remoteNamePattern = 'mf(?:-[a-z][a-z0-9]*)+';

/** Global variable of the federation runtime. The shell sets it, and containers of remotes are built without a runtime. */
export const federationRuntimeGlobal = 'FEDERATION_RUNTIME';

/** All parts. Each is released independently. */
export const partNames = ['shell', ...remoteNames] as const;
export type PartName = (typeof partNames)[number];

/**
 * Definition of a remote, the type of `remote.ts`. The key `./pricing` maps to the file `./src/pricing.tsx`.
 * TypeScript checks the import functions against {@link RemoteModules}.
 */
export interface RemoteDefinition<Name extends RemoteName = RemoteName> {
  readonly name: Name;
  readonly exposes: { readonly [Key in keyof RemoteModules[Name]]: () => Promise<RemoteModules[Name][Key]> };
  /** When the page hydrates each component. */
  readonly hydration: { readonly [Key in keyof RemoteModules[Name]]: HydrationTiming };
  /** Size budget. The pre-deploy check refuses a version that exceeds it. */
  readonly budget: SizeBudget;
}
