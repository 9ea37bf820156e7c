import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { accessibilityFaults } from '../checks/accessibility-faults.ts';
import { startDevelopmentServer } from '../site/development-server.ts';
import { projectDirectory, run } from '../site/running-site.ts';
import { expect, test } from './release-test.ts';

const before = 'USD per month';
const after = 'USD a month';

const plan = (page: Page) => page.getByRole('article', { name: 'Team Leader' });

/** Runs a program of the project in a folder. Rejects with its output if it fails. */
const runIn = (cwd: string, program: string, variables: Readonly<Record<string, string>> = {}) =>
  run(process.execPath, [join(projectDirectory, 'node_modules', program)], { cwd, variables });

test('first change: a price label is seen live, tested, released and rolled back', async ({
  page,
  released,
}) => {
  test.slow();
  const { release, stable, url, boardUrl } = released;
  await using development = await startDevelopmentServer('mf-pricing', '--site', url);
  const { edit, folder } = development;
  const pricing = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'mf-pricing' }) });
  const version = '82.0.0';

  await test.step('a changed label in the live page', async () => {
    await page.goto(development.url);
    await expect(plan(page)).toContainText(before);
    await edit('plan-price.tsx', "'per month'", "'a month'");
    await expect(plan(page)).toContainText(after);
  });
  await test.step('tests that expect the label before, and then the new one', async () => {
    await expect(runIn(folder, 'jest/bin/jest.js', { CI: '' })).rejects.toThrow(before);
    await edit('pricing.test.tsx', before, after);
  });
  await test.step('a build whose tests pass', async () => {
    await runIn(folder, 'webpack/bin/webpack.js', { PART_VERSION: version });
    await runIn(folder, 'jest/bin/jest.js');
  });
  await test.step('a release', async () => {
    await release.publish('mf-pricing', join(folder, 'dist'));
    await release.run('promote', 'mf-pricing', version);
    await page.goto(url);
    await expect(plan(page)).toContainText(after);
    await page.goto(boardUrl);
    await expect(pricing).toContainText(new RegExp(`${version}.*${stable}`, 's'));
    expect(await accessibilityFaults(page)).toEqual([]);
  });
  await test.step('a rollback', async () => {
    await release.run('rollback', 'mf-pricing');
    await page.goto(url);
    await expect(plan(page)).toContainText(before);
    await page.goto(boardUrl);
    await expect(pricing).toContainText(stable);
  });
});
