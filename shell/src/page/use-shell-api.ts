import type { ShellApi } from '@countersign/contracts/shell-api';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { useMemo } from 'react';
import { useTheme } from '../theme/use-theme.ts';
import type { ToastStore } from '../toast/toast-store.ts';
import { scrollToSection } from './scroll-to-section.ts';

interface ShellApiParts {
  readonly config: SiteConfig;
  readonly releaseId: string;
  readonly toasts: ToastStore;
  /** Leaves the page for another address. */
  readonly depart: (address: URL) => void;
}

/** What every remote gets. A new object only when something in it changed. */
export function useShellApi({ config, releaseId, toasts, depart }: ShellApiParts): ShellApi {
  const { appHost, defaultTheme } = config;
  const theme = useTheme(defaultTheme);
  return useMemo(
    () => ({
      page: { releaseId, appHost },
      theme,
      notify: toasts.add,
      signIn: () => depart(new URL('/login', appHost)),
      scrollToSection(id) {
        if (scrollToSection(id)) history.pushState(null, '', `#${id}`);
      },
    }),
    [appHost, releaseId, theme, toasts, depart],
  );
}
