import { prerender } from 'react-dom/static';
import { Page, type PageComponents } from './page.tsx';

/** Renders the page in Node, for the variant `prerendered`. The entry `markup` of `assembly/entry-module.ts` calls it. */
export async function prerenderedPage(components: PageComponents): Promise<string> {
  const { prelude } = await prerender(<Page {...components} />, {
    // Otherwise React puts large content at the end, from where inline scripts move it.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError(error) {
      throw error;
    },
  });
  return new Response(prelude).text();
}
