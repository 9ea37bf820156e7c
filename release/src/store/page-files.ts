import * as z from 'zod';

/**
 * The pages that the composer writes. The preview is the landing page with a policy that allows parts from localhost. While the
 * shell has a canary, the landing page has two more copies, one for each group of visitors.
 */
export const pageFiles = {
  landing: 'index.html',
  stable: 'stable.html',
  canary: 'canary.html',
  preview: 'preview.html',
  notFound: '404.html',
} as const;

/** The landing page and its copies. */
export const landingPages: readonly string[] = [pageFiles.landing, pageFiles.stable, pageFiles.canary];

/** Name of the file beside the pages of a release that holds the shell's canary, for servers. Missing if it has none. */
export const shellCanaryFile = '.shell-canary.json';

/** Name of the file beside the pages of a release that lists their headers for servers. */
export const headersFile = '.headers.json';

/** Content of {@link headersFile}: page → header → value. */
export const storedPageHeaders = z.record(z.string(), z.record(z.string(), z.string()));

/**
 * A file at the root of the site whose name has a hash of its content, a font or the entry bundle: it never changes, and releases
 * with the same file share its address.
 */
export const hashedPublicFile = /^[\w-]+\.[0-9a-f]{8,}\.(?:woff2|js)$/;

/** Path of a public file at the root of the site or in `.well-known`, perhaps with a hash in its name; not of a page. */
export const publicFile = /^\/(?:\.well-known\/)?[\w-]+(?:\.[0-9a-f]{8,})?\.(?!html\b)\w+$/;

/** Names at the root of the site that are reserved for the composer. */
export const reservedNames: readonly string[] = [...Object.values(pageFiles), headersFile, shellCanaryFile];
