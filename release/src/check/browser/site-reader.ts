import type { ReleaseContent } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { composePages } from '../../page/compose-pages.ts';
import { releaseIdPlaceholder } from '../../page/release-id.ts';
import { headersFile, pageFiles, publicFile, storedPageHeaders } from '../../store/page-files.ts';
import { partFileHeaders, publicFileHeaders, type HeaderValues } from '../../page/security-headers.ts';
import type { VersionReader } from '../../store/stored-version.ts';

/** Reads the files of a site, with which a tab answers its browser: from a store, or from the server of the site. */
export interface SiteReader {
  readonly origin: string;
  /** Origin of the application behind the login. */
  readonly appHost: string;
  /** `undefined` if the site has no such file. */
  read(path: string): Promise<SiteFile | undefined>;
}

export interface SiteFile {
  readonly body: string | Uint8Array;
  readonly headers: HeaderValues;
}

/** The site of a release with this content: its composed pages, and the files of the store. */
export async function composeSite(
  { store, siteConfig }: { readonly store: VersionReader; readonly siteConfig: SiteConfig },
  content: ReleaseContent,
): Promise<SiteReader> {
  const pages = await composePages(store, { ...content, releaseId: releaseIdPlaceholder }, siteConfig);
  const headersOfPages = storedPageHeaders.parse(JSON.parse(String(pages.get(headersFile))));
  // Cached, because several visitors load the same files.
  const files = new Map<string, Promise<SiteFile | undefined>>();
  const readPartFile = async (path: string): Promise<SiteFile | undefined> => {
    // The page's code chooses the path, so only such names may reach the store.
    const [, part = '', version = '', file = ''] =
      /^\/(\w[\w-]{0,60})\/(\w[\w.+-]{0,100})\/(.+)$/.exec(path) ?? [];
    const hashes = file === '' ? undefined : await store.hashesOf(part, version);
    if (!hashes || !Object.hasOwn(hashes, file)) return undefined;
    return { body: await store.readBytes(part, version, file), headers: partFileHeaders };
  };
  return {
    origin: siteConfig.siteOrigin,
    appHost: siteConfig.appHost,
    read(path) {
      const name = path === '/' ? pageFiles.landing : path.slice(1);
      // No other page has an address of its own. The one for unknown addresses is read by its name.
      const isPage = path === '/' || name === pageFiles.notFound;
      const body = isPage || publicFile.test(path) ? pages.get(name) : undefined;
      if (body !== undefined) {
        return Promise.resolve({ body, headers: headersOfPages[name] ?? publicFileHeaders });
      }
      const file = files.get(path) ?? readPartFile(path);
      files.set(path, file);
      // A read that failed can succeed the next time.
      file.catch(() => files.delete(path));
      return file;
    },
  };
}
