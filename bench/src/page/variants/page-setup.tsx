import { createRoot } from 'react-dom/client';
import { toasts } from './page.tsx';
import { loadToastRegion, rootElementId } from './shell-modules.ts';

/** The element that the page is rendered into. */
export function rootElement(): HTMLElement {
  const root = document.getElementById(rootElementId);
  if (!root) throw new Error(`The page has no element "${rootElementId}".`);
  return root;
}

/** The region for messages stands beside the page. Its code is needed for the first message. */
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
