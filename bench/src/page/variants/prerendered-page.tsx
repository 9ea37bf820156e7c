import { prerender } from 'react-dom/static';
import { bundledComponents } from './bundled-components.ts';
import { Page } from './page.tsx';

/** Prerenders the whole page in Node. */
export async function prerenderedPage(): Promise<string> {
  const { prelude } = await prerender(<Page {...bundledComponents} />, {
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError(error) {
      throw error;
    },
  });
  return new Response(prelude).text();
}
