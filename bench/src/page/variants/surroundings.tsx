import { createRoot } from 'react-dom/client';
import { toasts } from './page.tsx';
import { endSplash, rootElementId, ToastRegion } from './shell-modules.ts';

/** The element that the page is rendered into. */
export function rootElement(): HTMLElement {
  const root = document.getElementById(rootElementId);
  if (!root) throw new Error(`The page has no element "${rootElementId}".`);
  return root;
}

/** What stands around the page: the region for messages, and the splash, which ends when its time is over. */
export function startSurroundings(): void {
  const region = document.createElement('div');
  document.body.append(region);
  createRoot(region).render(<ToastRegion store={toasts} />);
  void endSplash();
}
