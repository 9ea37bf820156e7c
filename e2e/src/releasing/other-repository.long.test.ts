import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { builtFolder, end, startProgram, waitForLine } from '../site/running-site.ts';
import { createOtherRepository, type OtherRepository } from './other-repository.ts';
import { expect, test } from './release-test.ts';

const pricing = (page: Page) => page.locator('[data-remote="mf-pricing"]');

async function openPage(page: Page, url: string, version: string): Promise<void> {
  await page.goto(url);
  await expect(pricing(page)).toHaveAttribute('data-version', version);
}

const heading = 'Two plans, one signature';

/** Starts the development server of the packed package in the other repository. */
async function startDevelopmentServer({ folder, variables }: OtherRepository, site: string) {
  const args = ['node_modules/.bin/countersign-dev', 'mf-pricing', '--site', site, '--port', '0'];
  const server = startProgram(args, { cwd: folder, variables });
  const [url = ''] = /http:\S+/.exec(await waitForLine(server, /open http/)) ?? [];
  return { url, [Symbol.asyncDispose]: () => end(server) };
}

/** Texts of the contract's declarations in a build: file → text. */
function contractIn(built: string): Readonly<Record<string, string>> {
  const folder = join(built, 'contract');
  return Object.fromEntries(
    readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
}

test('other repository: its part is built, checked, shown and rolled back', async ({ page, released }) => {
  test.setTimeout(300_000);
  const { release, stable, url } = released;
  await using repository = await createOtherRepository();
  const built = join(repository.folder, 'dist');

  await test.step('type-check and build', async () => {
    await repository.runScript('typecheck');
    await repository.runScript('build');
    expect(contractIn(built)).toEqual(contractIn(builtFolder('mf-pricing')));
  });
  const version = await release.publish('mf-pricing', built);

  await test.step('a canary, which the check allows', async () => {
    await release.run('canary', 'mf-pricing', version, '--percent', '100');
    await openPage(page, url, version);
    await expect(pricing(page).getByRole('heading', { name: heading })).toBeVisible();
    // Its code is a chunk of its own, with a hash that the page knows.
    await pricing(page).getByRole('button', { name: 'Show the limits' }).click();
    await expect(pricing(page).getByText('three envelopes')).toBeVisible();
  });
  await test.step('a promotion, and a rollback', async () => {
    await release.run('promote', 'mf-pricing', version);
    await openPage(page, url, version);
    await release.run('rollback', 'mf-pricing');
    await openPage(page, url, stable);
    await expect(pricing(page).getByRole('heading', { name: heading })).toHaveCount(0);
  });
  await test.step('the development server', async () => {
    await using server = await startDevelopmentServer(repository, url);
    await openPage(page, server.url, '0.0.0-development');
    await expect(pricing(page).getByRole('heading', { name: heading })).toBeVisible();
  });
});
