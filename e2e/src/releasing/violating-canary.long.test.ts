import { once } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createCertificate, type Certificate } from '@countersign/browser/certificate';
import { violationsPath } from '@countersign/contracts/telemetry-path';
import { chromium, type Browser } from '@playwright/test';
import { launchOptions } from '../browser/launch-options.ts';
import { expectHydrated, shownVersions } from '../checks/expect-whole-page.ts';
import { hidePage, openPage } from '../driver/open-page.ts';
import { newVisitor, startWatch, visitUntilEnded } from './canary-watch.ts';
import { expect, pricingVersions, test } from './release-test.ts';

test.setTimeout(300_000);

interface SecureSite extends AsyncDisposable {
  readonly url: string;
  /** Bodies of the reports on violations so far. */
  readonly reports: readonly string[];
}

/**
 * Serves a site over https, because Chromium reports violations to no other endpoint. Its reports come from a network of their own
 * each, because Playwright adds no headers to them.
 */
async function serveSecurely(siteUrl: string, certificate: Certificate): Promise<SecureSite> {
  const reports: string[] = [];
  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method, headers, url = '/' } = incoming;
    const body = await text(incoming);
    if (url === violationsPath) reports.push(body);
    const network = url === violationsPath && { 'x-forwarded-for': `10.255.${reports.length}.1` };
    const forwarded = request(new URL(url, siteUrl), { method, headers: { ...headers, ...network } });
    const [response] = (await once(forwarded.end(body), 'response')) as [IncomingMessage];
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    await pipeline(response, outgoing);
  }
  const server = createServer(certificate, (incoming, outgoing) => {
    // A closed browser aborts its requests.
    respond(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    reports,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

let visitors = 0;

/** Opens the page as a new visitor, waits for the report of a canary, and closes it. */
async function visit(browser: Browser, { url, reports }: SecureSite): Promise<void> {
  const { context, page } = await newVisitor(browser);
  // The headless shell grants nothing by default.
  await context.grantPermissions(['background-sync']);
  const address = `${url}/?visitor=${(visitors += 1)}-`;
  await openPage(page, address);
  await expectHydrated(page, 'mf-pricing');
  const [version] = await shownVersions(page, 'mf-pricing');
  const isReported = () => reports.some((report) => report.includes(address));
  if (version === pricingVersions.violatesPolicy) await expect.poll(isReported).toBe(true);
  else expect(isReported()).toBe(false);
  expect((await hidePage(page)).status()).toBe(204);
  await context.close();
}

test('watch: a canary that asks for what the policy refuses is rolled back by the reports of browsers', async ({
  request: client,
  released,
}) => {
  const { release, metricsUrl } = released;
  const { violatesPolicy } = pricingVersions;
  const certificate = await createCertificate();
  await using site = await serveSecurely(released.url, certificate);
  // Otherwise, Chromium collects reports for up to a minute.
  const options = launchOptions(certificate.browserArgument, '--short-reporting-delay');
  const browser = await chromium.launch(options);
  await release.canary('mf-pricing', violatesPolicy, 50);
  const watch = await startWatch(released, 'mf-pricing', '--views', '12', '--promote');
  try {
    await visitUntilEnded(watch, () => Promise.all([visit(browser, site), visit(browser, site)]));
    expect(watch.code()).toBe(1);
    expect(watch.lines.at(-1)).toMatch(
      new RegExp(
        `^mf-pricing ${violatesPolicy} was rolled back: (\\d+) of \\1 views violating, 0 of \\d+ of the stable version$`,
      ),
    );
    const metrics = await (await client.get(metricsUrl)).text();
    const labels = `part="mf-pricing",version="${violatesPolicy}",group="canary"`;
    expect(metrics).toMatch(new RegExp(`^site_part_violations_total\\{${labels}\\} \\d+$`, 'm'));
  } finally {
    watch.stop();
    await browser.close();
  }
});
