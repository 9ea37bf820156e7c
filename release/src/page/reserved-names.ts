import { headersFile } from './header-files.ts';

/** The pages that the composer writes. The preview is the landing page with a policy that allows overrides. */
export const pageFiles = { landing: 'index.html', preview: 'preview.html', notFound: '404.html' } as const;

/** Names at the root of the site that are reserved for the composer. */
export const reservedNames: readonly string[] = [...Object.values(pageFiles), headersFile];
