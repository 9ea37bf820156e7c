import * as z from 'zod/mini';
import type { Headers } from './security-headers.ts';

/** Names of the files beside the pages of a release that list the pages' headers for servers. */
export const headerFiles = {
  /** Page → header → value. */
  json: '.headers.json',
  /** Lines for a `map` in nginx: path of a page in the store → its Content-Security-Policy. */
  nginx: '.headers.map',
} as const;

/** Content of {@link headerFiles.json}. */
export const pageHeadersFile = z.record(z.string(), z.record(z.string(), z.string()));

/** Name → content of the files that list the pages' headers. */
export function composeHeaderFiles(
  releaseId: string,
  pages: readonly { readonly name: string; readonly headers: Headers }[],
): readonly (readonly [string, string])[] {
  const headers = pages.map(({ name, headers: values }) => [name, values] as const);
  const lines = headers.map(
    ([name, { 'Content-Security-Policy': policy }]) =>
      `"~/pages/${releaseId}/${name.replaceAll('.', '\\.')}$" "${policy}";\n`,
  );
  return [
    [headerFiles.json, `${JSON.stringify(Object.fromEntries(headers), null, 2)}\n`],
    [headerFiles.nginx, lines.join('')],
  ];
}
