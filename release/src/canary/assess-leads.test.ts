import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assessLeads, leadsUntilFine, margin } from './assess-leads.ts';

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const level = 0.005;

/**
 * Decides experiments that are assessed after every lead, until one is decided.
 *
 * @param rate leads per visitor of the canary, relative to the stable version
 */
function simulate(rate: number, percent: number, experiments = 500, maxLeads = 1_000) {
  const random = createRandom(1);
  const found = { worse: 0, fine: 0, waiting: 0 };
  const lengths: number[] = [];
  const share = (percent / 100) * rate;
  const ofCanary = share / (share + 1 - percent / 100);
  for (let experiment = 0; experiment < experiments; experiment += 1) {
    const leads = { canary: 0, stable: 0 };
    let decision: keyof typeof found = 'waiting';
    while (decision === 'waiting' && leads.canary + leads.stable < maxLeads) {
      leads[random() < ofCanary ? 'canary' : 'stable'] += 1;
      const count = (group: keyof typeof leads) => ({ views: 0, leads: leads[group] });
      decision = assessLeads({ canary: count('canary'), stable: count('stable') }, percent, level);
    }
    found[decision] += 1;
    lengths.push(leads.canary + leads.stable);
  }
  lengths.sort((a, b) => a - b);
  return { ...found, median: lengths[lengths.length >> 1] ?? 0 };
}

for (const percent of [10, 50]) {
  test(`leads: at ${percent} %, at most 1 % of decisions are wrong, however often one looks`, (context) => {
    const same = simulate(1, percent);
    const losing = simulate(1 - margin, percent);
    context.diagnostic(`as many leads: ${JSON.stringify(same)}; 20 % fewer: ${JSON.stringify(losing)}`);
    assert(same.worse <= 5, `${same.worse} of 500 canaries that bring as many leads were called worse`);
    assert(losing.fine <= 5, `${losing.fine} of 500 canaries that lose a fifth were called fine`);
  });
}

test('leads: a form that sends nothing is found after some twenty leads, and one that is as good is fine', () => {
  const broken = simulate(0, 50, 10);
  assert.deepEqual([broken.worse, broken.median], [10, 20]);
  const { fine, median } = simulate(1, 50, 50, 20_000);
  assert(fine >= 49, `${fine} of 50`);
  const expected = leadsUntilFine(50);
  assert(median > expected / 2 && median < expected * 2, `${median} leads, ${expected} were expected`);
});

test('leads: too few leads, or a group without visitors, prove nothing', () => {
  const count = (leads: number) => ({ views: 1_000, leads });
  assert.equal(assessLeads({ canary: count(0), stable: count(19) }, 50, level), 'waiting');
  assert.equal(assessLeads({ canary: count(0), stable: count(900) }, 100, level), 'waiting');
});
