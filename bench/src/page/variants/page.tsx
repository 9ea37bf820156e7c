import type { ShellApi } from '@countersign/contracts/shell-api';
import { Suspense, useEffect, useMemo, useState } from 'react';
import type { PageComponents } from './page-components.ts';
import { createToastStore, readStoredTheme, scrollToSection, storeTheme } from './shell-modules.ts';
import styles from './page.module.css';

export const toasts = createToastStore();
const appHost = 'https://app.countersign.example';

/** `ShellApi` of a page without parts. */
function useShell(): ShellApi {
  const [preference, setPreference] = useState<ShellApi['theme']['preference']>('system');
  useEffect(() => {
    const stored = readStoredTheme();
    if (stored) setPreference(stored);
  }, []);
  return useMemo(
    () => ({
      page: { releaseId: 'r-000000000000', appHost },
      theme: {
        preference,
        setPreference(next: ShellApi['theme']['preference']) {
          const dark =
            next === 'dark' || (next === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
          document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
          storeTheme(next);
          setPreference(next);
        },
      },
      notify: toasts.add,
      signIn: () => location.assign(new URL('/login', appHost)),
      scrollToSection: (id) => void scrollToSection(id),
    }),
    [preference],
  );
}

/** The landing page, with bundled or lazy components. */
export function Page({ Header, main, Footer }: PageComponents) {
  const shell = useShell();
  return (
    <>
      <a className={styles['skipLink']} href="#main">
        Skip to content
      </a>
      <Suspense>
        <Header shell={shell} />
      </Suspense>
      <main id="main" tabIndex={-1}>
        {main.map((Component, index) => (
          <Suspense key={index}>
            <Component shell={shell} />
          </Suspense>
        ))}
      </main>
      <Suspense>
        <Footer shell={shell} />
      </Suspense>
    </>
  );
}
