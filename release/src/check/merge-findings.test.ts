import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageFailure } from './browser/page-failure.ts';
import { forVisitor, type VisitorName } from './browser/visitors.ts';
import { violationOf } from './invariants/invariants.ts';
import type { BrokenJourney } from './journeys/run-journeys.ts';
import { mergeBrokenJourneys, mergeViolations } from './merge-findings.ts';

const inspectionOf = (visitor: VisitorName, ...texts: readonly string[]) => ({
  visitor,
  violations: texts.map(violationOf),
  changedLooks: [],
  undecided: [],
});

test('findings: a violation that several visitors saw comes first; another names its visitor', () => {
  const merged = mergeViolations(
    [inspectionOf('patient', 'hides: p', 'loads 3 files'), inspectionOf('plain', 'loads 4 files')],
    'violations',
  );
  assert.deepEqual(
    merged.map(({ text }) => text),
    ['loads 3 files', `hides: p, ${forVisitor('patient')}`],
  );
});

const broken = (name: string, extra: Partial<BrokenJourney> = {}): BrokenJourney => {
  const journey = { part: 'mf-pricing', where: 'at 390 px', why: 'it is not there' } as const;
  return { ...journey, name, picture: new Uint8Array(), ...extra };
};

test('findings: a journey that is broken for several visitors is named once', () => {
  const merged = mergeBrokenJourneys([broken('a'), broken('b'), broken('a')], []);
  assert.deepEqual(
    merged.map(({ name, byOneVisitor }) => [name, byOneVisitor]),
    [
      ['a', false],
      ['b', true],
    ],
  );
});

test('findings: a journey is left out that only repeats what is reported', () => {
  const journeys = [
    broken('meets a page that failed', { pageFailure: new PageFailure('loads 4 files') }),
    broken('crashes the page', { pageFailure: new PageFailure('crashes the page') }),
    broken('meets what is reported', { violations: ['loads 5 files'] }),
    broken('meets something else', { violations: ['opens a window'] }),
    broken('is broken', { picture: undefined }),
  ];
  const namesBeside = (...texts: readonly string[]) =>
    mergeBrokenJourneys(journeys, texts.map(violationOf)).map(({ name }) => name);
  assert.equal(namesBeside().length, 5);
  assert.deepEqual(namesBeside('loads 3 files'), ['crashes the page', 'meets something else', 'is broken']);
});
