import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { hostService, hostServiceOfSite, type HostedService } from '../testing/hosted-service.ts';
import { livePageNaming } from '../testing/live-page-file.ts';
import { serveLocally } from '../testing/local-server.ts';
import { statusOfLead } from '../testing/send-lead.ts';
import { sqlite } from '../testing/test-databases.ts';
import { until, untilEqual } from '../testing/until.ts';

const shown = (version: string) => ({ part: 'mf-pricing', version, group: 'canary' });

function sendShown(service: HostedService, ...versions: readonly string[]): Promise<number> {
  const attribution = { releaseId: 'r-0123456789ab', parts: versions.map(shown) };
  return statusOfLead(service, { message: crypto.randomUUID(), attribution });
}

/** Number of leads by version, from the metrics. */
async function countedLeads(service: HostedService): Promise<Readonly<Record<string, number>>> {
  const lines = (await service.metrics()).matchAll(/^site_part_leads_total\{.*version="(.+?)".*\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, version, count]) => [version, Number(count)]));
}

test('leads by version: an answer does not wait for a live page that does not answer', async () => {
  const held: ServerResponse[] = [];
  await using site = await serveLocally((_request, response) => void held.push(response));
  await using service = await hostService(sqlite, { LIVE_PAGE: site.url });
  await until(async () => held.length > 0);

  assert.equal(await sendShown(service, '1.1.0'), 201);

  assert.deepEqual(await countedLeads(service), {});
  for (const response of held) response.end(livePageNaming({ 'mf-pricing': { live: '1.1.0' } }));
  await untilEqual(async () => (await countedLeads(service))['1.1.0'], 1);
});

test('leads by version: a lead counts for versions that the page names or has named, and for no others', async () => {
  await using service = await hostServiceOfSite();
  assert.equal(await sendShown(service, '2.0.0', '9.9.9'), 201);
  await untilEqual(async () => (await countedLeads(service))['2.0.0'], 1);
  await service.page.replace({ 'mf-pricing': { live: '4.0.0' } });
  // The service reads the page at most once per second.
  await until(async () => {
    await sendShown(service, '1.1.0', '4.0.0', '9.9.9');
    return '4.0.0' in (await countedLeads(service));
  });
  assert.deepEqual(Object.keys(await countedLeads(service)).toSorted(), ['1.1.0', '2.0.0', '4.0.0']);
});
