import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { contentTypeOf } from '../../../../release/src/page/content-types.ts';

const compress = promisify(brotliCompress);

export interface SiteFile {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** Request path → file. */
export type Site = ReadonlyMap<string, SiteFile>;

/**
 * Ways to build the page from the same sources, which the benchmark compares. `plain`: one bundle without lazy chunks, rendered in the
 * browser. `prerendered`: one bundle with lazy chunks, which hydrates markup that was rendered at build time. `default`: Module
 * Federation with the settings from its documentation. `ours`: composed by a release, as by `npm start`.
 */
export type VariantName = 'plain' | 'prerendered' | 'default' | 'ours';

export interface Variant {
  readonly name: VariantName;
  readonly site: Site;
  /** The same page after a deploy of another version of the pricing component. */
  readonly deployed: Site;
}

const compressible = /\.(html|js|css|json|webmanifest|svg|txt|xml)$/;
/** Files that never change: names with a content hash, and all files of a published version. */
const immutablePath = /[.-][0-9a-f]{8,}\.\w+$|^\/[\w-]+\/\d+\.\d+\.\d+[^/]*\//;

/** Compresses a file and sets its caching headers, in the same way for all variants. */
export async function siteFile(
  path: string,
  content: Uint8Array,
  ownHeaders: Readonly<Record<string, string>> = {},
): Promise<SiteFile> {
  const encoded = compressible.test(path);
  const body = encoded
    ? await compress(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
    : content;
  const caching = immutablePath.test(path)
    ? { 'cache-control': 'public, max-age=31536000, immutable' }
    : { 'cache-control': 'no-cache' };
  return {
    body,
    headers: {
      'content-type': contentTypeOf(path),
      'content-length': String(body.byteLength),
      ...(encoded ? { 'content-encoding': 'br', vary: 'accept-encoding' } : {}),
      etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 16)}"`,
      ...caching,
      ...ownHeaders,
    },
  };
}

/** All files of a folder, below a path of the site, without source maps and compressed copies. */
export async function filesIn(folder: string, prefix = '/'): Promise<Site> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory() && !/\.(map|br|gz)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files.map(async (file) => {
        const path = prefix + relative(folder, file).split(sep).join('/');
        return [path, await siteFile(path, await readFile(file))] as const;
      }),
    ),
  );
}
