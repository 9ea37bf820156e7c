import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mutant } from '@countersign/webpack-config/build-mutants';
import { defineJourneys, press, see } from '@countersign/contracts/journeys';
import { fragmentFile } from '@countersign/contracts/fragment';
import type { PartName } from '@countersign/contracts/remotes';
import { openBrowser } from '../../release/src/check/browser/open-browser.ts';
import {
  compatibleRemote,
  compatibleShell,
  minimalShellScript,
} from '../../release/src/testing/compatible-part.ts';
import { browserOfTests } from '../../release/src/testing/config.ts';
import { createTemporaryStore, sampleSiteConfig } from '../../release/src/testing/temporary-store.ts';
import { describeResults } from './describe-results.ts';
import { findBlindSpots } from './find-blind-spots.ts';

const fragment = fragmentFile('./first');
const markup = (note: string, heading = 'h2') =>
  `<section><${heading}>Plans</${heading}><button type="button">More</button><p>${note}</p></section>`;

/** A slot with a button, whose press shows an answer. */
const entry = `window['mf-pricing@1.1.0'] = (slot) => {
  slot.querySelector('button').addEventListener('click', () => {
    const answer = document.createElement('p');
    answer.textContent = isMutant('answer') ? 'No' : 'Yes';
    slot.append(answer);
    if (!isMutant('title')) slot.dataset.pressed = '';
  });
};`;

const journeys = defineJourneys({
  'a press is answered': [press('button "More"'), see('"Yes"')],
});

/** Fragments with mutants, as the build renders them. */
function render(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.includes('throws')) return Promise.reject(new Error('plans is not a function'));
  const note = ids.includes('note') ? 'Mutant' : 'About 2 months free';
  return Promise.resolve(new Map([[fragment, markup(note, ids.includes('level') ? 'h5' : 'h2')]]));
}

const mutantOf = (id: string, change: string, line: number, reason?: string): Mutant => ({
  ...{ id, change, reason, file: 'src/first.tsx', place: 'First' },
  ...{ lines: [line, line], span: [line * 10, line * 10 + 5] },
});

/** A shell that takes the button from the block, or a mark from the page, if a mutant says so. */
const shellScript = `${minimalShellScript}
if (globalThis.isMutant?.('button')) document.querySelector('button').remove();
if (!globalThis.isMutant?.('mark')) document.querySelector('h1').dataset.mark = '';`;

/** Looks for blind spots in a part of the sample page, in which mf-pricing has these journeys. */
async function find(chosen: readonly Mutant[], promised = journeys, mutated: PartName = 'mf-pricing') {
  await using site = await createTemporaryStore();
  await using browser = await openBrowser(browserOfTests);
  const part = compatibleRemote(
    'mf-pricing',
    '1.1.0',
    { 'entry.js': entry, [fragment]: markup('About 2 months free') },
    { journeys: promised },
  );
  const published = await site.publish(compatibleShell('1.0.0', { 'shell.js': shellScript }), part);
  const results = await findBlindSpots({
    store: site.store,
    manifests: published.map(({ manifest }) => manifest),
    siteConfig: sampleSiteConfig,
    part: mutated,
    render: mutated === 'shell' ? () => Promise.resolve(new Map()) : render,
    chosen,
    browser,
    deadline: Infinity,
    progress: () => undefined,
  });
  return describeResults(mutated, results);
}

test('blind spots: names what nothing detects, by place, with a step that would', async () => {
  const lines = await find([
    mutantOf('answer', `'Yes' → "Mutant"`, 1),
    mutantOf('note', `'About 2 months free' → "Mutant"`, 2),
    mutantOf('title', 'without slot.dataset.pressed', 3),
    mutantOf('level', '2 → 5', 4),
    mutantOf('throws', 'without plans', 5),
    mutantOf('marked', 'without role="list"', 6, 'only Safari needs it'),
  ]);
  assert.deepEqual(lines, [
    'Pictures differ:',
    '  mf-pricing/src/first.tsx First',
    `    mf-pricing/src/first.tsx:2  'About 2 months free' → "Mutant"`,
    `      a step that may notice it: see('"About 2 months free"')`,
    '',
    'No picture of the page as it opens differs:',
    '  mf-pricing/src/first.tsx First',
    '    mf-pricing/src/first.tsx:3  without slot.dataset.pressed',
    '',
    '5 changes of mf-pricing: 2 would not be noticed, 1 others are marked beside the code',
  ]);
});

test("blind spots: of the shell, another part's journey detects some", async () => {
  const mutants = [
    mutantOf('button', 'false → true', 1),
    mutantOf('mark', "without heading.dataset.mark = '';", 2),
  ];
  assert.deepEqual(await find(mutants, journeys, 'shell'), [
    'No picture of the page as it opens differs:',
    '  shell/src/first.tsx First',
    "    shell/src/first.tsx:2  without heading.dataset.mark = '';",
    '',
    '2 changes of shell: 1 would not be noticed',
  ]);
});

test('blind spots: a page that does not pass without a mutant ends the search', async () => {
  const broken = defineJourneys({ 'a press is answered': [press('button "More"'), see('"No"')] });
  await assert.rejects(
    find([mutantOf('answer', `'Yes' → "Mutant"`, 1)], broken),
    /does not pass without a mutant.*"a press is answered" is broken .*Put it right first\./,
  );
});
