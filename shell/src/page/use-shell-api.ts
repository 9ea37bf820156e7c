import type { SectionId, ShellApi } from '@countersign/contracts/shell-api';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { useMemo } from 'react';
import { useTheme } from '../theme/use-theme.ts';
import type { ToastStore } from '../toast/toast-store.ts';
import { scrollToSection } from './scroll-to-section.ts';

interface ShellApiParts {
  readonly config: SiteConfig;
  readonly releaseId: string;
  readonly toasts: ToastStore;
  /** Leaves the page for the login page. */
  readonly depart: () => void;
}

/** What the page offers to its parts. A new object only when something in it changed. */
export function useShellApi({ config, releaseId, toasts, depart }: ShellApiParts): ShellApi {
  const { appHost, defaultTheme } = config;
  const theme = useTheme(defaultTheme);
  return useMemo(
    () => ({
      page: { releaseId, appHost },
      theme,
      notify: toasts.add,
      signIn: depart,
      scrollToSection: goToSection,
    }),
    [appHost, releaseId, theme, toasts, depart],
  );
}

function goToSection(id: SectionId): void {
  const hash = `#${id}`;
  // A held key repeats the call, and browsers refuse to add many entries at a time.
  if (scrollToSection(id) && location.hash !== hash) history.pushState(null, '', hash);
}
