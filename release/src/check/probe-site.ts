import type { BrowserLocation } from '@countersign/browser/find-browser';
import { releaseDocumentElementId, siteConfigElementId } from '@countersign/contracts/page-markup';
import { partManifest, partManifestFile } from '@countersign/contracts/part-manifest';
import { releaseDocument } from '@countersign/contracts/release-document';
import { versionsIn } from '@countersign/contracts/release-versions';
import { siteConfig } from '@countersign/contracts/site-config';
import { pageFiles } from '../store/page-files.ts';
import { withLiveOnly } from '../store/versions.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { openBrowser } from './browser/open-browser.ts';
import type { SiteFile, SiteReader } from './browser/site-reader.ts';
import { runJourneys, type JourneyResults, type PartJourneys } from './journeys/run-journeys.ts';

/** Limit of a request, in milliseconds. */
const requestLimit = 20_000;

/** Headers of the connection, and not of the file. */
const ofConnection = ['connection', 'content-encoding', 'content-length', 'keep-alive', 'transfer-encoding'];

/**
 * Follows all journeys of the parts that a site shows, for `release probe`. This process fetches the files of the site. The browser
 * reaches no network, and its leads go nowhere.
 */
export async function probeSite(address: string, browserLocation: BrowserLocation): Promise<JourneyResults> {
  const { site, parts } = await readSite(address);
  await using browser = await openBrowser(browserLocation);
  return await runJourneys(browser, { site, parts });
}

/** The files that a site serves, and its page. */
export async function fetchSite(address: string) {
  const { origin, href } = new URL(address);
  /** Path → file, for all visitors. What could not be had is asked for again. */
  const files = new Map<string, SiteFile>();
  const read: SiteReader['read'] = async (path) => {
    const known = files.get(path);
    if (known) return known;
    const response = await fetch(path === '/' ? href : `${origin}${path}`, {
      // Sites send their page of unknown addresses to browsers only. Node fails at a compressed body if the connection closes.
      headers: { Accept: 'text/html, */*', 'Accept-Encoding': 'identity' },
      redirect: 'manual',
      signal: AbortSignal.timeout(requestLimit),
    });
    // The status of the 404 page is 404.
    if (!response.ok && path !== `/${pageFiles.notFound}`) return undefined;
    const headers = [...response.headers].filter(([name]) => !ofConnection.includes(name));
    // Events of a server, such as that of `npm run dev`, never end.
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (isStream) await response.body?.cancel();
    const file = { body: isStream ? '' : await response.bytes(), headers: Object.fromEntries(headers) };
    files.set(path, file);
    return file;
  };
  const page = await read('/');
  if (!page) throw new ReleaseError(`${href} does not answer with a page.`);
  const html = Buffer.from(page.body).toString();
  const { appHost } = siteConfig.parse(dataBlock(html, siteConfigElementId, href));
  const site: SiteReader = { origin, appHost, read };
  return { site, html };
}

/** A site, with the journeys of the parts that its page shows. */
async function readSite(address: string): Promise<{ site: SiteReader; parts: readonly PartJourneys[] }> {
  const { site, html } = await fetchSite(address);
  const { origin } = site;
  const shown = withLiveOnly(releaseDocument.parse(dataBlock(html, releaseDocumentElementId, address)));
  const parts = await Promise.all(
    versionsIn(shown).map(async ({ part, version }) => {
      const file = await site.read(`/${part}/${version}/${partManifestFile}`);
      if (!file)
        throw new ReleaseError(`${origin} does not serve ${partManifestFile} of ${part} ${version}.`);
      const { journeys = {} } = partManifest.parse(JSON.parse(Buffer.from(file.body).toString()));
      return { part, journeys, isThorough: true };
    }),
  );
  return { site, parts };
}

function dataBlock(html: string, id: string, address: string): unknown {
  const [, json] = new RegExp(`<script[^>]* id="${id}"[^>]*>([^<]+)</script>`).exec(html) ?? [];
  if (json === undefined)
    throw new ReleaseError(`${address} is not a page of this project: it has no "${id}".`);
  return JSON.parse(json);
}
