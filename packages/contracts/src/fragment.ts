import type { RemoteModules, RemoteName } from './remotes.ts';
import type { SectionId } from './shell-api.ts';

/** Folder in a remote's build that holds its fragments: one HTML file for each exposed component. */
export const fragmentFolder = 'fragments/';

/** File of the markup that an exposed component renders to when it is built: `./pricing` → `fragments/pricing.html`. */
export function fragmentFile(exposed: string): string {
  return `${fragmentFolder}${exposed.replace('./', '')}.html`;
}

/**
 * Prefix of the ids that React makes in a fragment. The build renders with it and the shell hydrates with it, so that
 * ids of two fragments never collide.
 */
export function fragmentIdPrefix(remote: RemoteName, exposed: string): string {
  return `${remote}-${exposed.replace('./', '')}-`;
}

/** Values that no build knows. The composer replaces each by the value of the deployment. */
export const fragmentPlaceholders = {
  /** Origin of the application behind the login, without a path. */
  appHost: 'https://app-host.invalid',
} as const;

type ExposedComponent = {
  [Name in RemoteName]: { readonly remote: Name; readonly exposed: keyof RemoteModules[Name] };
}[RemoteName];

/** Anchor → the component that shows its section. No other fragment may carry the id. */
export const sectionOwners: Readonly<Record<SectionId, ExposedComponent>> = {
  features: { remote: 'mf-content', exposed: './features' },
  api: { remote: 'mf-content', exposed: './workflow' },
  pricing: { remote: 'mf-pricing', exposed: './pricing' },
  contact: { remote: 'mf-leads', exposed: './call-to-action' },
};
