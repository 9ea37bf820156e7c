import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { partManifest, partManifestFile } from '@countersign/contracts/part-manifest';
import { expect } from '@playwright/test';
import { hashesOf } from '../site/project-copy.ts';
import { builtFolder } from '../site/running-site.ts';
import { test } from './walk.ts';

test.beforeEach(() => test.setTimeout(1_200_000));

test('docs/first-change.md: each command does what it shows', async ({ reader }) => {
  await reader.follow('docs/first-change.md');
});

test('docs/journeys.md: each command does what it shows, beside a running site', async ({ reader }) => {
  await reader.startSite();
  await reader.follow('docs/journeys.md');
});

test('docs/add-a-remote.md: a new remote passes all checks, and is released', async ({ reader }) => {
  await reader.startSite();
  await reader.follow('docs/add-a-remote.md');
  const checks = ['npm test -w mf-faq', 'npx tsc -b mf-faq shell', 'npx eslint mf-faq'];
  const formatted = 'npx prettier --check mf-faq packages/contracts shell/src/page';
  const { exitCode, lines } = await reader.terminals.run([...checks, formatted].join(' && '));
  expect(exitCode, lines.join('\n')).toBe(0);
});

test('build: a part has the same bytes in another folder', async ({ reader: { copy, terminals } }) => {
  for (const part of ['shell', 'mf-pricing']) {
    const manifest = await readFile(join(builtFolder(part), partManifestFile), 'utf8');
    const { version } = partManifest.parse(JSON.parse(manifest));
    await terminals.run(`PART_VERSION=${version} npm run build -w ${part}`);
    // Files of earlier builds may lie beside those that a cache has restored.
    expect(await hashesOf(builtFolder(part)), part).toMatchObject(await hashesOf(join(copy, part, 'dist')));
  }
});

test.describe('production', () => {
  test.use({ startFolder: 'docs/operate/compose' });

  test('docs/production.md: the first release does what it shows', async ({ reader }) => {
    const { copy, terminals } = reader;
    const server = `cd ${copy}/release && node src/release-server.ts`;
    const { lines } = await terminals.run(`(${server} token anna)`);
    await writeFile(join(copy, 'identities.json'), `[${lines[1]}]`);
    const owners = `${copy}/docs/operate/compose/releasers/owners.json`;
    const files = `IDENTITIES_FILE=${copy}/identities.json OWNERS_FILE=${owners}`;
    const listening = await terminals.start(`export RELEASE_PORT=0 ${files}; ${server}`);
    await reader.follow('docs/production.md', {
      'https://release.example.com': /http:\S+/.exec(listening.join('\n'))?.[0] ?? '',
      'release_YHlJ…': lines[0]?.replace('token: ', '') ?? '',
    });
  });
});
