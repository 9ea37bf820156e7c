import { telemetryReport } from '@countersign/contracts/telemetry';
import { fillIn, openLeadForm, rightEntries, sendButton } from '../driver/lead-forms.ts';
import { expectShown } from '../checks/expect-whole-page.ts';
import { expect, pricingVersions, test } from './release-test.ts';
import { hidePage, recordReports, splashEnd } from '../driver/open-page.ts';

test('telemetry: a visit is reported by part, version and group, and its lead contains them', async ({
  page,
  released: { url, release, metricsUrl, stable, leads },
}) => {
  const { good } = pricingVersions;
  await release.canary('mf-pricing', good, 100);
  const counted = async () => {
    const metrics = await (await page.request.get(metricsUrl)).text();
    return (version: string, group: string) => {
      const metric = `site_part_views_total{part="mf-pricing",version="${version}",group="${group}"} `;
      const line = metrics.split('\n').find((text) => text.startsWith(metric));
      return Number(line?.slice(metric.length) ?? 0);
    };
  };
  const entries = { ...rightEntries, Name: 'Ada of the canary' };
  const before = await counted();
  const reports = await recordReports(page);

  await page.goto(`${url}/?utm_source=letter`);
  await splashEnd(page);
  await expectShown(page, 'mf-pricing', good);
  const form = await openLeadForm(page, { type: 'contact' });
  await fillIn(form, entries);
  const answer = await hidePage(page);

  expect(answer.status()).toBe(204);
  const request = answer.request();
  expect(await request.headerValue('cookie')).toBeNull();
  expect(await answer.headerValue('set-cookie')).toBeNull();
  await expect.poll(() => reports.length).toBeGreaterThan(0);
  const body = reports.join('\n');
  const sent = reports.map((text) => JSON.parse(text) as unknown);
  const known = sent.map((content) => telemetryReport.parse(content));
  // Only fields of the contract.
  expect(sent).toEqual(known);
  expect(known.flatMap(({ parts }) => parts)).toContainEqual({
    part: 'mf-pricing',
    version: good,
    group: 'canary',
    outcome: 'loaded',
    milliseconds: expect.any(Number),
    sinceBegun: expect.any(Number),
  });
  // The first report, sent before code of the part runs.
  expect(known[0]).toMatchObject({
    parts: [{ part: 'mf-pricing', version: good, group: 'canary', outcome: 'begun' }],
  });
  expect(known.flatMap(({ vitals }) => vitals.map(({ name }) => name))).toEqual(
    expect.arrayContaining(['FCP', 'TTFB']),
  );
  const kept = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }));
  for (const secret of [...Object.values(kept), ...Object.values(entries), 'letter']) {
    expect(body).not.toContain(secret);
  }
  expect(await page.context().cookies()).toEqual([]);

  // The awaited response may be that to the first report.
  const growth = async () => (await counted())(good, 'canary') - before(good, 'canary');
  await expect.poll(growth).toBe(1);
  expect((await counted())(stable, 'stable')).toBe(before(stable, 'stable'));

  await sendButton(form).click();
  await expect.poll(() => leads(entries.Name)).toHaveLength(1);
  const shown = (part: string, version: unknown, group: string) => ({ part, version, group });
  const anyVersion = expect.stringMatching(/^\d/);
  expect(leads(entries.Name)).toMatchObject([
    {
      attribution: {
        parts: [
          shown('shell', anyVersion, 'stable'),
          shown('mf-header', anyVersion, 'stable'),
          shown('mf-content', anyVersion, 'stable'),
          shown('mf-pricing', good, 'canary'),
          shown('mf-leads', anyVersion, 'stable'),
        ],
      },
    },
  ]);
});
