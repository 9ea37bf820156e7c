import type { HydrationTiming } from './hydration-timing.ts';
import type { SlotModule } from './shell-api.ts';
import type { SizeBudget } from './size-budget.ts';

/**
 * What each remote exposes to the page. The remote's `remote.ts` must satisfy it and the shell's page list may
 * name nothing else: removing or renaming a key breaks the build on the side that did not follow.
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

/** Every part that is released on its own. */
export const partNames = ['shell', ...remoteNames] as const;
export type PartName = (typeof partNames)[number];

/**
 * A remote's own account of itself, the default for `remote.ts`. The key `./pricing` stands for the file
 * `./src/pricing.tsx`; the function is what TypeScript checks against {@link RemoteModules}.
 */
export interface RemoteDefinition<Name extends RemoteName = RemoteName> {
  readonly name: Name;
  readonly exposes: { readonly [Key in keyof RemoteModules[Name]]: () => Promise<RemoteModules[Name][Key]> };
  /** When the page hydrates each component. */
  readonly hydration: { readonly [Key in keyof RemoteModules[Name]]: HydrationTiming };
  /** What the remote may weigh. The check before a release refuses a version that is over it. */
  readonly budget: SizeBudget;
}
