import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storeUnavailable } from '../errors.ts';
import { openForm } from '../testing/form-token.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { serveIntake } from '../testing/served-app.ts';
import type { LeadRow } from '../store/tables.ts';

/** Doubtful in itself, and just not enough so to be held back. */
const message = 'See https://a.example/x and https://b.example/y before our call, please.';

/** Sends leads while none can be stored, and returns what was thought of each. */
async function judged(leads: readonly (typeof sampleLead)[]): Promise<LeadRow[]> {
  const seen: LeadRow[] = [];
  await using app = await serveIntake({
    accept: async ({ lead }) => {
      seen.push(lead);
      throw storeUnavailable();
    },
  });
  const { token } = await openForm(app);
  for (const lead of leads) {
    const answer = await app.post('/api/demo', { ...lead, formToken: token });
    assert.equal(answer.status, storeUnavailable().status);
  }
  return seen;
}

test('a lead that is sent again and again during an outage is not taken for spam because of that', async () => {
  const lead = { ...sampleLead, message };
  const verdicts = await judged(Array.from({ length: 7 }, () => lead));
  const [first, ...others] = verdicts.map(({ spamScore, spamReasons }) => ({ spamScore, spamReasons }));
  assert.deepEqual(new Set(others.map(({ spamReasons }) => spamReasons)), new Set([first?.spamReasons]));
  assert.ok(verdicts.every(({ quarantinedAt }) => quarantinedAt === null));
});

test('different leads from one form, with one message, are', async () => {
  const leads = Array.from({ length: 7 }, (_, index) => ({ ...sampleLead, message, name: `Ada ${index}` }));
  const last = (await judged(leads)).at(-1);
  assert.match(last?.spamReasons ?? '', /7 leads from one opened form/);
  assert.match(last?.spamReasons ?? '', /the same message came with 7 leads within a day/);
  assert.notEqual(last?.quarantinedAt, null);
});
