import type { ShellApi, SlotProps } from '@countersign/contracts/shell-api';
import '@countersign/design-tokens/base.css';
import { Suspense, useEffect, useMemo, useState, type ComponentType } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import '../../../../shell/src/page.css';
import { rootElementId } from '../../../../shell/src/page/element-ids.ts';
import { scrollToSection } from '../../../../shell/src/page/scroll-to-section.ts';
import { readStoredTheme, storeTheme } from '../../../../shell/src/theme/theme-storage.ts';
import { createToastStore } from '../../../../shell/src/toast/toast-store.ts';

type Component = ComponentType<SlotProps>;

/** Components of the page. The generated entry of each variant passes them: `assembly/entry-module.ts`. */
export interface PageComponents {
  readonly Header: Component;
  /** From top to bottom. */
  readonly main: readonly Component[];
  readonly Footer: Component;
}

const toasts = createToastStore();
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
      <a className="skip-link" href="#main">
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

export function renderPage(components: PageComponents): void {
  createRoot(rootElement()).render(<Page {...components} />);
  showToasts();
}

/** Hydrates the page that was rendered at build time. */
export function hydratePage(components: PageComponents): void {
  hydrateRoot(rootElement(), <Page {...components} />);
  showToasts();
}

function rootElement(): HTMLElement {
  const root = document.getElementById(rootElementId);
  if (!root) throw new Error(`The page has no element "${rootElementId}".`);
  return root;
}

/** Loads and renders the toast region for the first toast. */
function showToasts(): void {
  const stop = toasts.subscribe(() => {
    stop();
    void import('../../../../shell/src/toast/toast-region.tsx').then(({ ToastRegion }) => {
      const region = document.createElement('div');
      document.body.append(region);
      createRoot(region).render(<ToastRegion store={toasts} />);
    });
  });
}
