import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { partNames, remoteNames } from '@countersign/contracts/remotes';
import { splashEnd } from '../driver/open-page.ts';
import { buildPart, copyProject, hashesOf } from '../site/project-copy.ts';
import {
  builtFolder,
  makeDataDirectory,
  projectDirectory,
  releaseInto,
  removeDirectory,
  run,
  serveStore,
} from '../site/running-site.ts';
import { expect, test } from '../site/site-test.ts';
import { recordConsole } from '../driver/record-console.ts';

const turbo = join(projectDirectory, 'node_modules', '.bin', 'turbo');

test('independent build: the build of a part needs no task of another part', async () => {
  const args = ['run', ...partNames.map((part) => `${part}#build`), '--dry=json'];
  const planned = JSON.parse(await run(turbo, args, { cwd: projectDirectory })) as {
    tasks: { taskId: string; dependents: readonly string[] }[];
  };
  for (const part of partNames) {
    const own = planned.tasks.filter(({ taskId }) => taskId.startsWith(`${part}#`));
    expect(own.map(({ taskId }) => taskId)).toContain(`${part}#build`);
    const needing = own.flatMap(({ dependents }) => dependents);
    expect(needing.filter((task) => !task.startsWith(`${part}#`))).toEqual([]);
  }
});

test('independent build: a rebuilt mf-pricing appears on reload; other parts do not change', async ({
  site: { dataDirectory },
  openSite,
}) => {
  test.slow();
  const page = await openSite();
  const before = 'Plans that grow with your paperwork';
  const heading = page.locator('#pricing').getByRole('heading', { level: 2 }).first();
  await expect(heading).toHaveText(before);
  const untouched = [
    ...partNames
      .filter((part) => part !== 'mf-pricing')
      .map((part) => join(dataDirectory, 'site', 'parts', part)),
    builtFolder('shell'),
  ];
  const hashesBefore = await Promise.all(untouched.map(hashesOf));
  // A folder without files would prove nothing.
  for (const hashes of hashesBefore) expect(hashes).not.toEqual({});

  const workspace = await copyProject(['mf-pricing', 'tsconfig.base.json']);
  try {
    const source = join(workspace, 'mf-pricing', 'src', 'pricing.tsx');
    const text = await readFile(source, 'utf8');
    expect(text).toContain(before);
    await writeFile(source, text.replace(before, 'Prices, rebuilt'));
    const release = releaseInto({ DATA_DIR: dataDirectory });
    await release.publish('mf-pricing', await buildPart(workspace, 'mf-pricing', '99.0.0'));
    // With the check, which `release.promote` skips.
    await release.run('promote', 'mf-pricing', '99.0.0');
  } finally {
    await removeDirectory(workspace);
  }

  await openSite();
  await expect(heading).toHaveText('Prices, rebuilt');
  await expect(page.locator('[data-remote="mf-pricing"]')).toHaveAttribute('data-version', '99.0.0');
  expect(await Promise.all(untouched.map(hashesOf))).toEqual(hashesBefore);
});

test('independent build: the shell alone shows empty slots, without errors', async ({ page }) => {
  const errors = recordConsole(page.context(), ['error']);
  const dataDirectory = await makeDataDirectory();
  try {
    const release = releaseInto({ DATA_DIR: dataDirectory });
    const version = await release.publish('shell', builtFolder('shell'));
    await release.run('promote', 'shell', version);
    const site = await serveStore(dataDirectory);
    try {
      await page.goto(site.url);
      await splashEnd(page);
      const slots = page.locator('[data-remote]');
      const remotes = await slots.evaluateAll((elements) =>
        elements.map((element) => element.getAttribute('data-remote')),
      );
      expect([...new Set(remotes)].sort()).toEqual([...remoteNames].sort());
      await expect(page.locator('[data-version], [data-remote]:not(:empty)')).toHaveCount(0);
      expect(errors).toEqual([]);
    } finally {
      expect(await site.stop()).toBe(0);
    }
  } finally {
    await removeDirectory(dataDirectory);
  }
});
