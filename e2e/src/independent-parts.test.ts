import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { environmentWith } from './config.ts';
import { projectDirectory, removeDirectory } from './running-site.ts';
import { expect, test } from './site-test.ts';

const run = promisify(execFile);
const command = (name: string) => join(projectDirectory, 'node_modules', '.bin', name);
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
  test(`building ${part} runs no task of another part`, async () => {
    const { stdout } = await run(command('turbo'), ['run', 'build', `--filter=${part}`, '--dry=json'], {
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

test('a rebuilt mf-pricing appears on reload, and no byte of another part has changed', async ({
  site,
  openSite,
}) => {
  const page = await openSite();
  const heading = page.locator('#pricing').getByRole('heading', { level: 2 }).first();
  const before = await heading.innerText();
  const untouched = parts.filter((part) => part !== 'mf-pricing');
  const stored = (part: string) => join(site.dataDirectory, 'site', 'parts', part);
  const hashesBefore = await Promise.all(untouched.map((part) => hashesBelow(stored(part))));

  // The team's folder alone, beside the project's root, so that no other part's source can be reached.
  await mkdir(join(projectDirectory, '.data'), { recursive: true });
  const workspace = await mkdtemp(join(projectDirectory, '.data', 'team-'));
  try {
    await cp(join(projectDirectory, 'mf-pricing'), join(workspace, 'mf-pricing'), {
      recursive: true,
      filter: (path) => !path.endsWith('/dist') && !path.endsWith('/.turbo'),
    });
    await cp(join(projectDirectory, 'tsconfig.base.json'), join(workspace, 'tsconfig.base.json'));
    const source = join(workspace, 'mf-pricing', 'src', 'pricing.tsx');
    const text = await readFile(source, 'utf8');
    expect(text).toContain(before);
    await writeFile(source, text.replace(before, 'Prices, rebuilt'));

    const directory = join(workspace, 'mf-pricing');
    await run(command('webpack'), [], { cwd: directory, env: environmentWith({ PART_VERSION: '99.0.0' }) });
    const release = (...words: string[]) =>
      run(process.execPath, [join(projectDirectory, 'release', 'src', 'cli.ts'), ...words], {
        env: environmentWith({ DATA_DIR: site.dataDirectory }),
      });
    await release('publish', 'mf-pricing', join(directory, 'dist'));
    await release('promote', 'mf-pricing', '99.0.0');
  } finally {
    await removeDirectory(workspace);
  }

  await openSite();
  await expect(heading).toHaveText('Prices, rebuilt');
  await expect(page.locator('[data-remote="mf-pricing"]')).toHaveAttribute('data-version', '99.0.0');
  expect(await Promise.all(untouched.map((part) => hashesBelow(stored(part))))).toEqual(hashesBefore);
});
