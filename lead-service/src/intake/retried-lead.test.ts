import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LeadRow } from '../database/tables.ts';
import { storeUnavailable } from '../http/errors.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { openForm } from '../testing/send-lead.ts';
import { serveIntake } from '../testing/served-app.ts';

/** Its score is below the quarantine threshold, and one more sign would be above it. */
const message = 'Please look at https://a.example/x before we call each other.';

/** Sends leads while the store is unavailable, and returns their classifications. */
async function classified(leads: readonly (typeof sampleLead)[]): Promise<LeadRow[]> {
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

test('spam filter: retries of a lead during an outage add no reasons', async () => {
  const lead = { ...sampleLead, message };
  const classifications = await classified(Array.from({ length: 7 }, () => lead));
  const [first, ...others] = classifications.map(({ spamScore, spamReasons }) => ({
    spamScore,
    spamReasons,
  }));
  assert.deepEqual(new Set(others.map(({ spamReasons }) => spamReasons)), new Set([first?.spamReasons]));
  assert.ok(classifications.every(({ quarantinedAt }) => quarantinedAt === null));
});

test('spam filter: different leads with one form token and message, whatever its blanks, raise the score', async () => {
  const leads = Array.from({ length: 7 }, (_, index) => ({
    ...sampleLead,
    message: index % 2 === 0 ? message : message.replace(' ', '  '),
    name: `Ada ${index}`,
  }));
  const last = (await classified(leads)).at(-1);
  assert.match(last?.spamReasons ?? '', /7 leads from one opened form/);
  assert.match(last?.spamReasons ?? '', /the same message came with 7 leads within a day/);
  assert.notEqual(last?.quarantinedAt, null);
});
