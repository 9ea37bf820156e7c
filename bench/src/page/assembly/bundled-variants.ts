import { join } from 'node:path';
import { buildPage, renderPage } from './build-page.ts';
import type { Site } from './site-files.ts';
import type { Variant } from './variant.ts';

interface BundleOptions {
  readonly deployed?: RegExp;
}

const bundledPages = {
  /** One bundle without lazy chunks, rendered in the browser. */
  plain: (folder: string, options: BundleOptions = {}): Promise<Site> =>
    buildPage({
      ...options,
      entry: 'rendered-entry.tsx',
      outputFolder: folder,
      dynamicImportMode: 'eager',
    }),
  /** One bundle with lazy chunks that hydrates a page prerendered at build time. */
  prerendered: async (folder: string, options: BundleOptions = {}): Promise<Site> => {
    const markup = await renderPage(join(folder, 'markup'));
    return buildPage({ ...options, entry: 'hydrated-entry.tsx', outputFolder: join(folder, 'page'), markup });
  },
};

/** The script contains the pricing component, so a deploy changes it. Stylesheets and lazy chunks stay. */
export async function bundledVariant(name: keyof typeof bundledPages, folder: string): Promise<Variant> {
  return {
    name,
    site: await bundledPages[name](join(folder, name, 'before')),
    deployed: await bundledPages[name](join(folder, name, 'after'), { deployed: /^page\./ }),
  };
}
