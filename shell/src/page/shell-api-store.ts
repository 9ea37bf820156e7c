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
}

/** What the page offers to its parts, for `useSyncExternalStore`. */
export interface ShellApiStore {
  subscribe(listener: () => void): () => void;
  /** A new object only when something in it has changed. */
  get(): ShellApi;
  /** What the markup of all parts was made with: a visitor of whom nothing is known. */
  getPrerendered(): ShellApi;
}

export function createShellApiStore({
  config,
  releaseId,
  theme,
  notify,
  signIn,
}: ShellApiParts): ShellApiStore {
  const page = { releaseId, appHost: config.appHost };
  const apiWith = (preference: ShellApi['theme']['preference']): ShellApi => ({
    page,
    theme: { preference, setPreference: theme.set },
    notify,
    signIn,
    scrollToSection: goToSection,
  });
  const prerendered = apiWith('system');
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
  const hash = `#${id}`;
  // A held key repeats the call, and browsers refuse to add many entries at a time.
  if (scrollToSection(id) && location.hash !== hash) history.pushState(null, '', hash);
}
