import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildAlone, publishAndPromote } from '../site/build-alone.ts';
import { copyProject, projectDirectory, removeDirectory } from '../site/running-site.ts';
import { expect, test } from '../site/site-test.ts';

const run = promisify(execFile);
const turbo = join(projectDirectory, 'node_modules', '.bin', 'turbo');
const parts = ['shell', 'mf-header', 'mf-content', 'mf-pricing', 'mf-leads'];

/** File → hash, for everything below a folder. */
async function hashesBelow(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hashes = files.map(
    async (file) =>
      [
        file,
        createHash('sha384')
          .update(await readFile(file))
          .digest('hex'),
      ] as const,
  );
  return Object.fromEntries(await Promise.all(hashes));
}

for (const part of parts) {
  test(`independent build: building ${part} runs no task of another part`, async () => {
    const { stdout } = await run(turbo, ['run', 'build', `--filter=${part}`, '--dry=json'], {
      cwd: projectDirectory,
    });
    const { tasks } = JSON.parse(stdout) as { tasks: { taskId: string; command: string }[] };
    const others = tasks.filter(({ taskId }) =>
      parts.some((name) => name !== part && taskId.startsWith(`${name}#`)),
    );
    expect(others).toEqual([]);
    expect(tasks.map(({ taskId }) => taskId)).toContain(`${part}#build`);
  });
}

test('independent build: a rebuilt mf-pricing appears on reload; other parts do not change', async ({
  site,
  openSite,
}) => {
  test.slow();
  const page = await openSite();
  const before = 'Plans that grow with your paperwork';
  const heading = page.locator('#pricing').getByRole('heading', { level: 2 }).first();
  await expect(heading).toHaveText(before);
  const untouched = [
    ...parts
      .filter((part) => part !== 'mf-pricing')
      .map((part) => join(site.dataDirectory, 'site', 'parts', part)),
    join(projectDirectory, 'shell', 'dist'),
  ];
  const hashesBefore = await Promise.all(untouched.map(hashesBelow));
  for (const hashes of hashesBefore) expect(hashes).not.toEqual({});

  const workspace = await copyProject(['mf-pricing', 'tsconfig.base.json']);
  try {
    const source = join(workspace, 'mf-pricing', 'src', 'pricing.tsx');
    const text = await readFile(source, 'utf8');
    expect(text).toContain(before);
    await writeFile(source, text.replace(before, 'Prices, rebuilt'));
    const built = await buildAlone(workspace, 'mf-pricing', '99.0.0');
    await publishAndPromote(site.dataDirectory, 'mf-pricing', '99.0.0', built);
  } finally {
    await removeDirectory(workspace);
  }

  await openSite();
  await expect(heading).toHaveText('Prices, rebuilt');
  await expect(page.locator('[data-remote="mf-pricing"]')).toHaveAttribute('data-version', '99.0.0');
  expect(await Promise.all(untouched.map(hashesBelow))).toEqual(hashesBefore);
});
