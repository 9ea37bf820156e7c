import type { RemoteModules, RemoteName } from './remotes.ts';
import type { PageInfo, SectionId } from './shell-api.ts';

/** Folder in a remote's build with its fragments: one HTML file per exposed component. */
export const fragmentFolder = 'fragments/';

/** File with the prerendered markup of an exposed component: `./pricing` → `fragments/pricing.html`. */
export function fragmentFile(exposed: string): string {
  return `${fragmentFolder}${exposed.replace('./', '')}.html`;
}

/**
 * Whether a name was generated for a CSS Module: `_` and six or seven characters, as `module-class-names.ts` of webpack-config makes
 * them. Older builds, and other tools, generate names that end in `-module-…`.
 */
export function isModuleClass(name: string): boolean {
  return /^_[\w-]{6,7}$|-module-[\w-]+$/.test(name);
}

/** React's `identifierPrefix` of a fragment, for ids of its own. Build and shell use the same, so that hydration finds equal ids. */
export function fragmentIdPrefix(remote: RemoteName, exposed: string): string {
  return `${remote}-${exposed.replace('./', '')}-`;
}

/**
 * Placeholders for settings of the deployment. The composer replaces `appHost` anywhere, addresses where they are a whole `href`,
 * and `consentText` only in the paragraph with {@link consentAttribute}.
 */
export const fragmentPlaceholders = {
  appHost: 'https://app-host.invalid',
  privacyUrl: 'https://privacy.invalid/',
  termsUrl: 'https://terms.invalid/',
  securityUrl: 'https://security.invalid/',
  helpUrl: 'https://help.invalid/',
  consentText: 'consent.invalid',
} as const satisfies Partial<PageInfo>;

/**
 * Attribute of the paragraph in a form that shows the consent, with one hidden input that sends it. A page without the text of a consent
 * has no such paragraph. For a required one, its input is a required checkbox, and the form has no `novalidate`, so that the
 * browser asks for the box. The composer changes fragments in this way, and parts render the same for hydration.
 */
export const consentAttribute = 'data-consent';

type ExposedComponent = {
  [Name in RemoteName]: { readonly remote: Name; readonly exposed: keyof RemoteModules[Name] };
}[RemoteName];

/** Anchor → the component that contains the section. Other fragments must not use the id. */
export const sectionOwners: Readonly<Record<SectionId, ExposedComponent>> = {
  features: { remote: 'mf-content', exposed: './features' },
  api: { remote: 'mf-content', exposed: './workflow' },
  pricing: { remote: 'mf-pricing', exposed: './pricing' },
  contact: { remote: 'mf-leads', exposed: './call-to-action' },
};
