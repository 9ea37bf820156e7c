import type { SectionId, ShellApi } from '@countersign/contracts/shell-api';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type { ThemeStore } from '../theme/theme-store.ts';
import { scrollToSection } from './scroll-to-section.ts';

interface ShellApiParts {
  readonly config: SiteConfig;
  readonly releaseId: string;
  readonly theme: ThemeStore;
  readonly notify: ShellApi['notify'];
  /** Leaves the page for the login page. */
  readonly signIn: ShellApi['signIn'];
  readonly shownParts: Required<ShellApi>['shownParts'];
}

/** The `ShellApi` as a store for `useSyncExternalStore`. */
export interface ShellApiStore {
  subscribe(listener: () => void): () => void;
  /** Returns the same object until a value in it changes. */
  get(): ShellApi;
  /**
   * The values that the builds prerendered the markup with: a visitor without a stored theme. Hydration needs
   * the same values.
   */
  getPrerendered(): ShellApi;
}

export function createShellApiStore({
  config,
  releaseId,
  theme,
  notify,
  signIn,
  shownParts,
}: ShellApiParts): ShellApiStore {
  const page = { releaseId, ...config };
  const apiWith = (preference: ShellApi['theme']['preference']): ShellApi => ({
    page,
    theme: { preference, setPreference: theme.set },
    notify,
    signIn,
    scrollToSection: goToSection,
    shownParts,
  });
  const prerendered = apiWith('system'); // blind spot: no step sees a page before its theme, but a test does.
  let current = apiWith(theme.get());
  return {
    subscribe: theme.subscribe,
    get() {
      if (current.theme.preference !== theme.get()) current = apiWith(theme.get());
      return current;
    },
    getPrerendered: () => prerendered,
  };
}

function goToSection(id: SectionId): void {
  if (!document.getElementById(id)) return; // blind spot (→ false): a page has each section, but that of a test.
  const hash = `#${id}`;
  // Before the page scrolls, because the browser records where it stands, for Back. No history entry for the current hash, because a
  // held key repeats the call and browsers limit `pushState`.
  // blind spot (→ true): no step counts entries of the history.
  if (location.hash !== hash) history.pushState(null, '', hash);
  scrollToSection(id);
}
