import type { SiteConfig } from '@countersign/contracts/site-config';
import type { Page } from 'playwright-core';
import type { Pages } from '../../page/compose-pages.ts';
import { headersFile, pageFiles, pageHeadersFile } from '../../page/page-files.ts';
import { partFileHeaders, publicFileHeaders, type Headers } from '../../page/security-headers.ts';
import { contentTypeOf } from '../../page/content-types.ts';
import type { ReleaseStore } from '../../store/release-store.ts';

/** A site that a browser sees, without a server and a network. */
export interface OfflineSite {
  readonly origin: string;
  /** Origin of the application behind the login. */
  readonly appHost: string;
  /** Remotes of the release. The slots of all others stay empty. */
  readonly remotes: readonly string[];
  /** `undefined` if the site has no such file. */
  read(path: string): Promise<OfflineFile | undefined>;
}

interface OfflineFile {
  readonly body: string | Uint8Array;
  readonly headers: Headers;
}

/** The site of a release: its composed pages, and the files of the store. */
export function siteOfPages(
  store: ReleaseStore,
  remotes: readonly string[],
  pages: Pages,
  { siteOrigin, appHost }: SiteConfig,
): OfflineSite {
  const headersOfPages = pageHeadersFile.parse(JSON.parse(String(pages.get(headersFile))));
  // Cached, because several visitors load the same files.
  const files = new Map<string, Promise<OfflineFile | undefined>>();
  const readPartFile = async (path: string): Promise<OfflineFile | undefined> => {
    // The page's code chooses the path, so only such names may reach the store.
    const [, part = '', version = '', file = ''] =
      /^\/(\w[\w-]{0,60})\/(\w[\w.+-]{0,100})\/(.+)$/.exec(path) ?? [];
    const hashes = file === '' ? undefined : await store.hashesOf(part, version);
    if (!hashes || !Object.hasOwn(hashes, file)) return undefined;
    return { body: await store.readBytes(part, version, file), headers: partFileHeaders };
  };
  return {
    origin: siteOrigin,
    appHost,
    remotes,
    read(path) {
      const name = path === '/' ? pageFiles.landing : path.slice(1);
      const body = pages.get(name);
      if (body !== undefined) {
        return Promise.resolve({ body, headers: headersOfPages[name] ?? publicFileHeaders });
      }
      const file = files.get(path) ?? readPartFile(path);
      files.set(path, file);
      return file;
    },
  };
}

/** Requests of one visitor. */
interface RequestLog {
  /** Paths of the files that were sent, in order. */
  readonly served: readonly string[];
  /** Whether no request was open for the last `time` milliseconds. Throws if a file could not be read. */
  isQuietFor(time: number): boolean;
}

/**
 * Answers all requests of a visitor: for files of the site with the file, for the lead service with an empty 204. Aborts every
 * other request, and each navigation after the first, which would leave the page.
 *
 * @param refuse is told of each aborted request, as a predicate of the page
 */
export async function answerFromSite(
  page: Page,
  site: OfflineSite,
  refuse: (what: string) => void,
): Promise<RequestLog> {
  const served: string[] = [];
  let pending = 0;
  let lastEnd = performance.now();
  let isOpen = false;
  let failure: { readonly error: unknown } | undefined;
  await page.route('**/*', async (route) => {
    pending += 1;
    const request = route.request();
    const { origin, pathname, href } = new URL(request.url());
    try {
      if (request.isNavigationRequest() && isOpen) {
        refuse(`leaves the page for ${href}`);
        await route.abort('blockedbyclient');
        return;
      }
      isOpen = true;
      if (origin === site.origin && pathname.startsWith('/api/')) {
        await route.fulfill({ status: 204 });
        return;
      }
      const file = origin === site.origin ? await site.read(pathname) : undefined;
      if (!file) {
        refuse(`requests ${origin === site.origin ? pathname : href}, which is no file of the page`);
        await route.abort('blockedbyclient');
        return;
      }
      served.push(pathname);
      const type = contentTypeOf(pathname === '/' ? pageFiles.landing : pathname);
      await route.fulfill({
        body: Buffer.from(file.body),
        headers: { ...file.headers, 'Content-Type': type },
      });
    } catch (error) {
      // Kept for `isQuietFor`, because an error thrown here would end the process. A closed page needs no answer.
      if (!page.isClosed()) failure ??= { error };
      await route.abort().catch(() => undefined);
    } finally {
      pending -= 1;
      lastEnd = performance.now();
    }
  });
  return {
    served,
    isQuietFor(time) {
      if (failure) throw failure.error;
      return pending === 0 && performance.now() - lastEnd > time;
    },
  };
}
