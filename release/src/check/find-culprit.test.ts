import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partNames } from '@countersign/contracts/remotes';
import { findCulprit } from './find-culprit.ts';
import type { Versions } from '../store/versions.ts';
import { createRandom } from '../testing/random-events.ts';

const releases = 50;

const minorOf = (version = '1.0.0') => Number(version.split('.')[1]);

/** The sets of five parts that were released fifty times each, in an order that looks random. */
function historyOf(seed: number): readonly Versions[] {
  const random = createRandom(seed);
  const changes = partNames.flatMap((part) =>
    Array.from({ length: releases - 1 }, () => ({ part, place: random() })),
  );
  let set: Versions = Object.fromEntries(partNames.map((part) => [part, '1.0.0']));
  const sets = [set];
  for (const { part } of changes.toSorted((one, other) => one.place - other.place)) {
    set = { ...set, [part]: `1.${minorOf(set[part]) + 1}.0` };
    sets.push(set);
  }
  return sets;
}

/** The first versions of one part, or of two, that break the page for good: ten times each. */
const planted = Array.from({ length: 20 }, (_, index): Versions => {
  const [part = 'shell', other = 'shell'] = [index, index + 1 + (index % 4)].map(
    (each) => partNames[each % 5],
  );
  const [first, otherFirst] = [index * 17, index * 31 + 7].map((each) => `1.${1 + (each % 49)}.0`);
  return index % 2 === 0 ? { [part]: first } : { [part]: first, [other]: otherFirst };
});

test('bisect: among 250 releases, 20 planted faults are named, ten of them of two versions', async () => {
  let opened = 0;
  for (const [seed, fault] of planted.entries()) {
    const parts = partNames.filter((part) => fault[part] !== undefined);
    const isBroken = (set: Versions) => parts.every((part) => minorOf(set[part]) >= minorOf(fault[part]));
    const sets = historyOf(seed + 1);
    const culprit = await findCulprit(sets, async (set) => {
      opened += 1;
      return isBroken(set);
    });
    const lastGood = sets.findIndex(isBroken) - 1;
    assert.deepEqual(culprit, { versions: fault, areSoundAlone: parts.length > 1, lastGood });
  }
  assert(opened < 600, `${opened} sets were opened for 20 faults`);
});

test('bisect: of parts that changed as one, only the broken one is named', async () => {
  const sets: Versions[] = [
    { shell: '1.0.0', 'mf-leads': '1.0.0', 'mf-pricing': '1.0.0' },
    { shell: '1.0.0', 'mf-leads': '2.0.0', 'mf-pricing': '2.0.0' },
  ];
  const culprit = await findCulprit(sets, async (set) => set['mf-pricing'] === '2.0.0');
  assert.deepEqual(culprit, { versions: { 'mf-pricing': '2.0.0' }, areSoundAlone: false, lastGood: 0 });
});

test('bisect: after a rollback and another release, the nearest fault is found', async () => {
  const sets = ['1.0.0', '1.1.0', '1.0.0', '1.2.0', '1.3.0'].map((shell) => ({ shell }));
  const culprit = await findCulprit(sets, async ({ shell }) => shell !== '1.0.0');
  assert.deepEqual(culprit?.versions, { shell: '1.2.0' });
});

test('bisect: nothing is named if every release is broken', async () => {
  assert.equal(await findCulprit([{ shell: '1.0.0' }, { shell: '1.1.0' }], async () => true), undefined);
});
