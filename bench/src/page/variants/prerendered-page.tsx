import { prerender } from 'react-dom/static';
import { Page, type PageComponents } from './page.tsx';

export async function prerenderedPage(components: PageComponents): Promise<string> {
  const { prelude } = await prerender(<Page {...components} />, {
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError(error) {
      throw error;
    },
  });
  return new Response(prelude).text();
}
