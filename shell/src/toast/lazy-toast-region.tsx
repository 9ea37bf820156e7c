import { lazy, Suspense, useEffect, useState } from 'react';
import type { ToastStore } from './toast-store.ts';

const loadRegion = () => import('./toast-region.tsx');
const ToastRegion = lazy(async () => ({ default: (await loadRegion()).ToastRegion }));

/** Events that come before any notice. Reading the page fetches nothing. */
const firstUses = ['pointerdown', 'keydown', 'focusin'] as const;

/** The region of the notices, which is loaded when the visitor begins to use the page: a notice must show offline as well. */
export function LazyToastRegion({ store }: { readonly store: ToastStore }) {
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    const want = () => setWanted(true);
    for (const use of firstUses) addEventListener(use, want, { once: true, passive: true });
    const stop = store.subscribe(want);
    if (store.getToasts().length > 0) want();
    return () => {
      for (const use of firstUses) removeEventListener(use, want);
      stop();
    };
  }, [store]);
  return <Suspense fallback={null}>{wanted ? <ToastRegion store={store} /> : null}</Suspense>;
}
