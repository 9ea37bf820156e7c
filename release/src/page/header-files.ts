import * as z from 'zod/mini';
import type { Headers } from './security-headers.ts';

/** Name of the file beside the pages of a release that lists their headers for servers: page → header → value. */
export const headersFile = '.headers.json';

/** Content of {@link headersFile}. */
export const pageHeadersFile = z.record(z.string(), z.record(z.string(), z.string()));

/** Content of {@link headersFile} for the pages of a release. */
export function composeHeadersFile(
  pages: readonly { readonly name: string; readonly headers: Headers }[],
): string {
  const headers = Object.fromEntries(pages.map(({ name, headers: values }) => [name, values]));
  return `${JSON.stringify(headers, null, 2)}\n`;
}
