import * as z from 'zod/mini';
import { pageHeaders } from './security-headers.ts';

/** Names of the files beside the pages of a release that tell servers which headers the pages have. */
export const headerFiles = {
  /** Page → header → value. */
  json: '.headers.json',
  /** Lines for a `map` in nginx: the page's path in the store → its security policy. */
  nginx: '.headers.map',
} as const;

/** Content of {@link headerFiles.json}. */
export const pageHeadersFile = z.record(z.string(), z.record(z.string(), z.string()));

/** The files that say which headers the pages have: name → content. */
export function composeHeaderFiles(
  releaseId: string,
  pages: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] {
  const headers = Object.entries(pages).map(([name, html]) => [name, pageHeaders(html)] as const);
  const lines = headers.map(
    ([name, { 'Content-Security-Policy': policy }]) =>
      `"~/pages/${releaseId}/${name.replaceAll('.', '\\.')}$" "${policy}";\n`,
  );
  return [
    [headerFiles.json, `${JSON.stringify(Object.fromEntries(headers), null, 2)}\n`],
    [headerFiles.nginx, lines.join('')],
  ];
}
