import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Mutant } from '@countersign/webpack-config/build-mutants';
import { changedLines, mutantsIn } from './mutants-since.ts';
import type { MutantPage } from './mutant-page.ts';
import { searchMutants, type Detector, type Result } from './search-mutants.ts';
import { suggestSteps } from './suggest-steps.ts';

const mutantIn = (line: number, last = line, span = [line * 10, last * 10 + 5] as const): Mutant => ({
  ...{ id: `${line}`, file: 'src/plans.ts', lines: [line, last], span, place: '', change: '' },
});

test('blind spots since a commit: only what begins in a changed line, or has it at its end', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'blind-spots-'));
  const root = join(folder.path, 'mf-pricing');
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder.path,
    });
  await mkdir(join(root, 'src'), { recursive: true });
  await writeFile(join(root, 'src/plans.ts'), '1\n2\n3\n4\n6\n7\n');
  git('init', '--quiet');
  git('config', 'diff.noprefix', 'true');
  git('add', '.');
  git('commit', '--quiet', '--message=first');
  assert.equal((await changedLines('HEAD', root)).size, 0);
  await writeFile(join(root, 'src/plans.ts'), '1\ntwo\n3\n4\nfive\n6\nseven\n');
  await writeFile(join(root, 'src/new.ts'), '1\n');
  // The first one has that of line 2 in it, and that of line 6 is a long text.
  const mutants = [mutantIn(1, 4), mutantIn(2), mutantIn(3), mutantIn(5), mutantIn(6, 7)];
  mutants.push({ ...mutantIn(9), file: 'src/new.ts' });
  const since = mutantsIn(await changedLines('HEAD', root), mutants).map(({ id }) => id);
  assert.deepEqual(since, ['2', '5', '6', '9']);
  await assert.rejects(changedLines('nowhere', root), /cannot compare with "nowhere": .*Name a commit/);
});

test('blind spots: of mutants that are on together, those are found that a detector detects', async () => {
  // The place of the first contains that of the second.
  const mutants = [mutantIn(0, 1), ...Array.from({ length: 39 }, (_, at) => mutantIn(at + 1))];
  const results = mutants.map((mutant): Result => ({ mutant, isTried: true }));
  let most = 0;
  const detect: Detector = (_page, _tabs, tried) => {
    const ids = tried.map(({ id }) => id);
    assert.ok(!ids.includes('0') || !ids.includes('1'));
    most = Math.max(most, ids.length);
    return Promise.resolve(ids.includes('3') || ids.includes('20') ? 'it is gone' : undefined);
  };
  const open = () => Promise.resolve({} as MutantPage);
  assert.deepEqual(await searchMutants(results, open, detect, { lanes: 2 }), []);
  const noticed = results.flatMap(({ mutant: { id }, noticedBy }) => (noticedBy === undefined ? [] : [id]));
  assert.deepEqual(noticed, ['3', '20']);
  assert.ok(most > 4);
  const others = results.filter(({ noticedBy }) => noticedBy === undefined);
  assert.deepEqual(await searchMutants(others, () => assert.fail(), detect, { deadline: 0 }), others);
});

test('blind spots: steps that would notice them', () => {
  const page = `- region "Plans":
  - heading "Plans" [level=2]
  - article "Team Leader":
    - paragraph: Most Popular
    - radio "Monthly" [checked]
    - link "Get it":
      - /url: /login`;
  const hint = (from: string, to: string) => suggestSteps([page], [page.replace(from, to)], '');
  const of = (step: string) => `a step that may notice it: ${step}`;
  assert.equal(hint('Most Popular', 'Mutant'), of(`see('"Most Popular"', { in: 'article "Team Leader"' })`));
  assert.equal(hint(' [checked]', ''), of(`isChosen('radio "Monthly"', { in: 'article "Team Leader"' })`));
  assert.equal(hint('Get it', 'Mutant'), of(`see('link "Get it"', { in: 'article "Team Leader"' })`));
  // No step sees a level, or can name what has a quote.
  assert.equal(hint('level=2', 'level=5'), undefined);
  assert.equal(suggestSteps(["- paragraph: It's free"], [''], ''), undefined);
  assert.equal(
    suggestSteps([page, '- text: Menu'], [page, ''], ''),
    `a step that may notice it, at: 'narrow': see('"Menu"')`,
  );
  assert.equal(suggestSteps([], [], "key === 'Escape' → false"), "a step that reaches it: key('Escape')");
  assert.equal(suggestSteps([], [], 'without opener.focus();'), of('focusIs, with the element'));
});
