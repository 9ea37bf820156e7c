import type { ComponentType } from 'react';
import { brand } from './brand.ts';

/** Theme preferences. `system` follows the operating system's setting, also while the page is open. */
export const themePreferences = ['light', 'dark', 'system'] as const;
export type ThemePreference = (typeof themePreferences)[number];

/** Key of the stored preference in `localStorage`, for the shell alone. */
export const themeStorageKey = `${brand.toLowerCase()}-theme`;

/** Anchors that navigation can scroll to. The remote that shows a section owns its anchor. */
export const sectionIds = ['features', 'api', 'pricing', 'contact'] as const;
export type SectionId = (typeof sectionIds)[number];

/** A message for the visitor. At most one is visible; a new one replaces it. */
export interface ToastMessage {
  readonly title: string;
  readonly description?: string;
  /** `destructive` is for failures. Default: `default`. */
  readonly variant?: 'default' | 'destructive';
}

/** Tells a visitor that the code behind a control could not be loaded. */
export const loadFailureToast: ToastMessage = {
  title: 'Error',
  description: 'This could not be loaded. Try again.',
  variant: 'destructive',
};

/** Data about the page. Plain values, the same for every remote. */
export interface PageInfo {
  /** `releaseId` of the release document. */
  readonly releaseId: string;
  /** Origin of the application behind the login, without a path. */
  readonly appHost: string;
  /** Pages of the operator, and the consent under each form, as in the settings of the site. */
  readonly privacyUrl?: string | undefined;
  readonly termsUrl?: string | undefined;
  readonly securityUrl?: string | undefined;
  readonly helpUrl?: string | undefined;
  readonly consentText?: string | undefined;
  readonly consent?: 'required' | undefined;
}

/** URL of the application's login page. Links to it work without JavaScript. */
export function loginAddress({ appHost }: Pick<PageInfo, 'appHost'>): string {
  return new URL('/login', appHost).href;
}

/** A version of a part that the page shows, as in page reports. */
export interface ShownPart {
  readonly part: string;
  readonly version: string;
  /** The visitor's group for this part. A canary that has failed leaves the visitor in the group. */
  readonly group: 'stable' | 'canary';
}

/**
 * Services that the page provides to remotes. It contains plain values and functions only, no context, class
 * instance or schema object, so that a remote can render alone with a stub.
 */
export interface ShellApi {
  readonly page: PageInfo;
  readonly theme: {
    /** The visitor's choice, or the deployment's default. A change re-renders all remotes. */
    readonly preference: ThemePreference;
    setPreference(preference: ThemePreference): void;
  };
  /** Shows a toast and announces it. */
  notify(toast: ToastMessage): void;
  /** Navigates to the login page of the application. Prefer a link with `loginAddress` where possible. */
  signIn(): void;
  /** Scrolls to a section and moves the focus there. Does nothing if the section is missing. */
  scrollToSection(id: SectionId): void;
  /** The versions that the page shows now, each once. Missing on pages that do not know, such as those of other sites. */
  shownParts?(): readonly ShownPart[];
}

/** Props of every component that a remote exposes to a slot of the page. */
export interface SlotProps {
  readonly shell: ShellApi;
}

/** Shape of an exposed module. A slot renders the default export. */
export interface SlotModule {
  readonly default: ComponentType<SlotProps>;
}
