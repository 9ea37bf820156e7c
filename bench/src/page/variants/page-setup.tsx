import { createRoot } from 'react-dom/client';
import { toasts } from './page.tsx';
import { loadToastRegion, rootElementId } from './shell-modules.ts';

/** Root element of the page. */
export function rootElement(): HTMLElement {
  const root = document.getElementById(rootElementId);
  if (!root) throw new Error(`The page has no element "${rootElementId}".`);
  return root;
}

/** Loads and renders the toast region for the first toast. */
export function showToasts(): void {
  const stop = toasts.subscribe(() => {
    stop();
    void loadToastRegion().then(({ ToastRegion }) => {
      const region = document.createElement('div');
      document.body.append(region);
      createRoot(region).render(<ToastRegion store={toasts} />);
    });
  });
}
