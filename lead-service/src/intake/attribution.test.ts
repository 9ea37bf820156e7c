import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { exportStream, type ExportFormat } from '../lead-admin/export-formats.ts';
import { parseLeadFilter } from '../lead-admin/lead-filter.ts';
import { readAllLeads } from '../lead-admin/read-leads.ts';
import { hostService, hostServiceOfSite } from '../testing/hosted-service.ts';
import { sendLead, statusOfLead } from '../testing/send-lead.ts';
import { sqlite } from '../testing/test-databases.ts';
import { until, untilLength } from '../testing/until.ts';
import { startWebhookReceiver, webhookSecret } from '../testing/webhook-receiver.ts';

/* Versions that the page of `hostServiceOfSite` names. Of mf-pricing, it also names 2.0.0 and 3.0.0. */
const shell = { part: 'shell', version: '1.0.0', group: 'stable' };
const pricing = { part: 'mf-pricing', version: '1.1.0', group: 'canary' };
const consent = {
  consentText: 'Remember which advertisement I came from.',
  consentedAt: '2026-11-21T12:58:34Z',
};

async function startSite(settings: Record<string, string> = {}) {
  const service = await hostServiceOfSite(settings);
  // The service reads the page when it starts, and a lead waits for that only briefly.
  await until(async () => (await service.metrics()).includes('site_live_page_up 1'));
  return {
    ...{ service, page: service.page },
    /** Sends a lead, and returns its stored attribution. */
    async store(attribution: unknown): Promise<Record<string, unknown>> {
      assert.equal(await statusOfLead(service, { message: crypto.randomUUID(), attribution }), 201);
      return JSON.parse((await service.database.leads()).at(-1)?.attribution ?? '') as Record<
        string,
        unknown
      >;
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

test('attribution: exports and webhook contain it', async () => {
  await using receiver = await startWebhookReceiver();
  await using site = await startSite({
    ...{ DELIVERY: 'on', WEBHOOKS: `crm=${receiver.url}`, WEBHOOK_SECRETS: `crm=${webhookSecret}` },
  });
  const { service } = site;
  const attribution = {
    ...{ page: '/?plan=team', landingPage: '/?utm_source=letter', landingReferrer: 'https://a.example/' },
    ...{ parts: [shell, pricing], ...consent, gclid: 'Cj0K', li_fat_id: 'e2f1' },
  };
  const { id } = (await (await sendLead(service, { attribution })).json()) as { id: string };

  const exported = (format: ExportFormat) =>
    text(exportStream(readAllLeads(service.database.admin, parseLeadFilter({})), format));
  const lead = JSON.parse(await exported('jsonl')) as { id: string; attribution: object };
  assert.deepEqual([lead.id, lead.attribution], [id, attribution]);
  const csv = await exported('csv');
  assert.match(csv, /,"parts","gclid",.*"li_fat_id"\r\n/);
  assert.match(csv, /"shell 1\.0\.0 \(stable\), mf-pricing 1\.1\.0 \(canary\)","Cj0K",/);
  const [webhook] = await untilLength(() => receiver.received, 1);
  const { data } = webhook?.payload as { readonly data: { readonly attribution: object } };
  assert.deepEqual(data.attribution, attribution);
});

describe('attribution', () => {
  test('versions that the page has not named are dropped, earlier ones are kept', async () => {
    await using site = await startSite();
    const older = { ...pricing, version: '2.0.0', group: 'stable' };
    const unknown = { ...pricing, version: '9.9.9' };
    assert.deepEqual(await site.store({ page: '/', parts: [shell, older, unknown] }), {
      ...{ page: '/', parts: [shell, older] },
    });
    await site.page.replace({ 'mf-pricing': { live: '4.0.0' } });
    const live = { ...pricing, version: '4.0.0', group: 'stable' };
    // The service reads the page at most once per second.
    const { parts } = await until(
      () => site.store({ parts: [older, live] }),
      ({ parts: stored }) => (stored as object[]).length === 2,
    );
    assert.deepEqual(parts, [older, live]);
  });

  test('malformed, unknown and surplus versions are dropped, and never refuse the lead', async () => {
    await using site = await startSite();
    const many = (count: number, entry: unknown) => Array.from({ length: count }, () => entry);
    for (const [sent, stored] of [
      ['mf-pricing 1.1.0', undefined],
      [
        [
          { ...shell, part: 'mf-x' },
          { ...shell, version: '<b>' },
        ],
        undefined,
      ],
      [[null, 1, { part: 'shell' }, { ...pricing, more: 'x' }], [pricing]],
      // Only the first 15 entries are read: three versions of each of the five parts.
      [many(600, shell), many(15, shell)],
      [many(10_000, 1), undefined],
    ] as const) {
      assert.deepEqual((await site.store({ parts: sent })).parts, stored);
    }
  });

  test('without LIVE_PAGE, a lead has no versions', async () => {
    await using service = await hostService(sqlite);
    assert.equal(await statusOfLead(service, { attribution: { page: '/', parts: [shell] } }), 201);
    const [lead] = await service.database.leads();
    assert.equal(lead?.attribution, '{"page":"/"}');
  });

  test('click identifiers are stored only with a consent, and never within an address', async () => {
    await using site = await startSite();
    const addresses = {
      page: '/?gclid=1&utm_source=letter&FBCLID=2',
      landingPage: '/?wbraid=1',
      referrer: 'https://a.example/?q=%C3%BC&msclkid=3',
    };
    const cleaned = {
      page: '/?utm_source=letter',
      referrer: 'https://a.example/?q=%C3%BC',
      landingPage: '/',
    };
    const sent = { ...addresses, gclid: '1', msclkid: '3' };
    assert.deepEqual(await site.store(sent), cleaned);
    assert.deepEqual(await site.store({ ...sent, consentText: consent.consentText }), {
      ...cleaned,
      consentText: consent.consentText,
    });
    assert.deepEqual(await site.store({ ...sent, ...consent }), {
      ...cleaned,
      ...consent,
      gclid: '1',
      msclkid: '3',
    });
  });

  test('a repeated lead is recognised, whatever versions it names', async () => {
    await using site = await startSite();
    const fields = { attribution: { parts: [shell] } };
    const { id } = (await (await sendLead(site.service, fields)).json()) as { id: string };
    const again = await sendLead(site.service, { attribution: { parts: [pricing], gclid: '1' } });
    assert.equal(((await again.json()) as { id: string }).id, id);
  });
});
