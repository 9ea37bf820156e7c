import type { RemoteModules, RemoteName } from '@countersign/contracts/remotes';

type SlotDefinition = {
  [Name in RemoteName]: { readonly remote: Name; readonly exposed: keyof RemoteModules[Name] & string };
}[RemoteName];

/** Slots of the landing page, from top to bottom, each with the remote that owns it. */
export const landingPageSlots = {
  header: [{ remote: 'mf-header', exposed: './header' }],
  main: [
    { remote: 'mf-content', exposed: './hero' },
    { remote: 'mf-content', exposed: './trust-indicators' },
    { remote: 'mf-content', exposed: './platform-availability' },
    { remote: 'mf-content', exposed: './features' },
    { remote: 'mf-content', exposed: './workflow' },
    { remote: 'mf-content', exposed: './multi-party-signing' },
    { remote: 'mf-content', exposed: './why-choose-us' },
    { remote: 'mf-pricing', exposed: './pricing' },
    { remote: 'mf-content', exposed: './testimonials' },
    { remote: 'mf-leads', exposed: './call-to-action' },
  ],
  footer: [{ remote: 'mf-content', exposed: './footer' }],
} as const satisfies Record<string, readonly SlotDefinition[]>;
