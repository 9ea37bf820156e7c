import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import type { LeadAttribution } from '@countersign/contracts/lead-submission';
import { exportStream, type ExportFormat } from '../admin/export-formats.ts';
import { parseLeadFilter } from '../admin/lead-filter.ts';
import { readAllLeads } from '../admin/read-leads.ts';
import { type HostedService, hostService } from '../testing/hosted-service.ts';
import { sendLead, statusOfLead } from '../testing/send-lead.ts';
import { sqlite } from '../testing/test-databases.ts';
import { untilLength } from '../testing/until.ts';
import { startWebhookReceiver, webhookSecret } from '../testing/webhook-receiver.ts';

const shell = { part: 'shell', version: '1.0.0', group: 'stable' };
const pricing = { part: 'mf-pricing', version: '1.1.0', group: 'canary' };
const consent = {
  consentText: 'Remember which advertisement I came from.',
  consentedAt: '2026-11-21T12:58:34Z',
};

/** Sends a lead, and returns its stored attribution. */
async function store(service: HostedService, attribution: unknown): Promise<LeadAttribution> {
  assert.equal(await statusOfLead(service, { message: crypto.randomUUID(), attribution }), 201);
  return JSON.parse((await service.database.leads()).at(-1)?.attribution ?? '') as LeadAttribution;
}

test('attribution: exports and webhook contain it', async () => {
  await using receiver = await startWebhookReceiver();
  await using service = await hostService(sqlite, {
    ...{ DELIVERY: 'on', WEBHOOKS: `crm=${receiver.url}`, WEBHOOK_SECRETS: `crm=${webhookSecret}` },
  });
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
  test('malformed and surplus versions are dropped, and never refuse the lead', async () => {
    await using service = await hostService(sqlite);
    const many = (count: number, entry: unknown) => Array.from({ length: count }, () => entry);
    for (const [sent, stored] of [
      ['mf-pricing 1.1.0', undefined],
      [[{ ...shell, version: '<b>' }], undefined],
      [[null, 1, { part: 'shell' }, { ...pricing, more: 'x' }], [pricing]],
      // Only the first 15 entries are read: three versions of each of the five parts.
      [many(600, shell), many(15, shell)],
      [many(10_000, 1), undefined],
    ] as const) {
      assert.deepEqual((await store(service, { parts: sent })).parts, stored);
    }
  });

  test('click identifiers are stored only with a consent, and never within an address', async () => {
    await using service = await hostService(sqlite);
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
    assert.deepEqual(await store(service, sent), cleaned);
    assert.deepEqual(await store(service, { ...sent, consentText: consent.consentText }), {
      ...cleaned,
      consentText: consent.consentText,
    });
    assert.deepEqual(await store(service, { ...sent, ...consent }), {
      ...cleaned,
      ...consent,
      gclid: '1',
      msclkid: '3',
    });
  });
});
