import type { ComponentType } from 'react';
import type { ThemePreference } from './theme-preference.ts';

/** Anchors that navigation can scroll to. The section with the anchor belongs to the remote that shows it. */
export const sectionIds = ['features', 'api', 'pricing', 'contact'] as const;
export type SectionId = (typeof sectionIds)[number];

/**
 * A message for the visitor. At most one is visible at a time; a new one replaces it. Texts end after 2,000 characters.
 */
export interface Notice {
  readonly title: string;
  readonly description?: string;
  /** `destructive` announces a failure. Default: `default`. */
  readonly variant?: 'default' | 'destructive';
}

/** What the page knows and a remote may show. Plain data, the same for every remote. */
export interface PageInfo {
  /** The state of the page that the visitor sees, as named by the release document. */
  readonly releaseId: string;
  /** Where the application behind the login lives, without a path. */
  readonly appHost: string;
}

/** Where accounts begin: the login page of the application. A link to it works before any script, and without one. */
export function loginAddress({ appHost }: Pick<PageInfo, 'appHost'>): string {
  return new URL('/login', appHost).href;
}

/**
 * Everything a remote may ask of the page that hosts it. Plain values and functions only: no context, class
 * instance or schema object crosses the boundary, so a remote can be rendered alone with a stub.
 *
 * Each slot gets an object of its own, frozen. No function throws: a call with a wrong argument, or more than 100 calls
 * of one function in a second, does nothing. The console names the remote and says what is wrong, and the mistake is
 * reported as a failure of the version, with the cause `event`.
 */
export interface ShellApi {
  readonly page: PageInfo;
  readonly theme: {
    /** The visitor's choice, or the deployment's default. A change re-renders every remote. */
    readonly preference: ThemePreference;
    setPreference(preference: ThemePreference): void;
  };
  /** Shows a toast and announces it. */
  notify(notice: Notice): void;
  /** Sends the browser to the login page of the application. The page is left. Where a link can stand, use `loginAddress`. */
  signIn(): void;
  /** Scrolls smoothly to a section and moves the focus there. Does nothing while the section is missing. */
  scrollToSection(id: SectionId): void;
}

/** Props of every component that a remote exposes to a slot of the page. */
export interface SlotProps {
  readonly shell: ShellApi;
}

/** What an exposed module looks like: federation hands over modules, and a slot renders the default export. */
export interface SlotModule {
  readonly default: ComponentType<SlotProps>;
}
