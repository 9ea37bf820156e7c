import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { childEnvironment } from '../platform/config.ts';
import { builtRemote } from '../testing/built-part.ts';
import { createReleaser, type Releaser } from '../testing/releaser.ts';
import { createTestReleaser, startReleaseServer } from '../testing/release-server.ts';
import { failsWith, releaseCommand, runRelease } from '../testing/run-release.ts';

const part = 'mf-pricing';
/** Never ends as version 9.9.9. */
const buildScript = `
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const version = process.env.PART_VERSION;
if (version === '9.9.9') { console.error('build ' + version); setInterval(() => {}, 1000); }
mkdirSync('dist', { recursive: true });
for (const [name, text] of Object.entries(JSON.parse(readFileSync('files.json', 'utf8')))) {
  writeFileSync('dist/' + name, text.replaceAll('0.0.0', version));
}`;

/** A repository with a part that npm builds. */
async function createRepository(releaser: Releaser) {
  const root = join(releaser.directory, 'repository');
  const folder = join(root, 'parts', 'pricing');
  const temporary = join(releaser.directory, 'temporary');
  await mkdir(folder, { recursive: true });
  await mkdir(temporary);
  const write = (file: string, text: string) => writeFile(join(root, file), text);
  const git = (...words: readonly string[]) => {
    const author = ['-c', 'user.name=a team', '-c', 'user.email=team@example.com'];
    return execFileSync('git', [...author, ...words], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  };
  const named = { name: 'pricing', version: '1.0.0' };
  const lock = { ...named, lockfileVersion: 3, packages: { '': named } };
  await write(
    'parts/pricing/package.json',
    JSON.stringify({ ...named, scripts: { build: 'node build.mjs' } }),
  );
  await write('parts/pricing/package-lock.json', JSON.stringify(lock));
  await write('parts/pricing/build.mjs', buildScript);
  await write(
    'parts/pricing/files.json',
    JSON.stringify(builtRemote(part, '0.0.0', { 'notes.txt': 'for the team' })),
  );
  await write('.gitignore', 'dist\nnode_modules\n');
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'pricing');
  const environment = childEnvironment({ ...releaser.site.environment, TMPDIR: temporary });
  return {
    root,
    environment,
    write,
    commit: git('rev-parse', '--short=10', 'HEAD'),
    /** Builds and publishes a version. `change` gets the folder of the build. */
    async publish(version: string, change: (dist: string) => Promise<unknown> = async () => undefined) {
      const env = childEnvironment({ PART_VERSION: version });
      execFileSync(process.execPath, ['build.mjs'], { cwd: folder, env });
      await change(join(folder, 'dist'));
      const { code, stderr } = await releaser.run(['publish', part, join(folder, 'dist')]);
      assert.deepEqual([code, stderr], [0, '']);
    },
    /** Folders of rebuilds that were not removed. npm has a cache beside them. */
    leftFolders: async () => (await readdir(temporary)).filter((name) => name.startsWith('rebuild-')),
    rebuild: (version: string, variables: Readonly<Record<string, string>> = {}) =>
      runRelease(['rebuild', part, version, '--repository', root], { ...environment, ...variables }),
  };
}

test('rebuild: a build of the recorded commit is compared byte by byte, also for a release server', async () => {
  await using releaser = await createReleaser();
  const { root, publish, rebuild, commit, leftFolders, write } = await createRepository(releaser);
  await publish('1.0.0');
  await publish('1.1.0', async (dist) => {
    await writeFile(join(dist, 'entry.js'), '/* another */');
    await writeFile(join(dist, 'added.txt'), 'in no commit');
    await rm(join(dist, 'notes.txt'));
  });
  // Later changes do not matter.
  await write('parts/pricing/build.mjs', 'throw new Error("not this one")');
  const same = `mf-pricing 1.0.0: a build of commit ${commit} in parts/pricing/dist has the same bytes in all 5 files\n`;
  const { code, stdout } = await rebuild('1.0.0');
  assert.deepEqual([code, stdout], [0, same]);
  const changed = await rebuild('1.1.0');
  assert.equal(changed.code, 1);
  assert.deepEqual(changed.stdout.trimEnd().split('\n'), [
    'entry.js differs',
    'added.txt is missing in the rebuild',
    'notes.txt is only in the rebuild',
    `mf-pricing 1.1.0 is not what commit ${commit} in parts/pricing/dist builds: 3 differences in 5 files`,
  ]);

  const anna = createTestReleaser('anna');
  await using server = await startReleaseServer(releaser.site, [anna.identity], { '*': ['*'] });
  const remote = await rebuild('1.0.0', {
    RELEASE_URL: server.url,
    RELEASE_TOKEN: anna.token,
    DATA_DIR: root,
  });
  assert.equal(remote.stdout, same);
  const { changelog, ...old } = (await releaser.site.store.versionRecord(part, '1.0.0')) ?? assert.fail();
  assert.equal(changelog?.folder, 'parts/pricing/dist');
  await releaser.site.store.addVersion(part, '0.1.0', new Map(), old);
  const client = { RELEASE_URL: server.url, RELEASE_TOKEN: anna.token };
  assert.match(
    (await rebuild('0.1.0', client)).stderr,
    /^The record of mf-pricing 0\.1\.0 names no commit: it was /,
  );
  assert.match((await rebuild('0.2.0', client)).stderr, /0\.2\.0 could not be read from /);
  assert.deepEqual(await leftFolders(), []);
});

test('rebuild: versions that no build can match are errors, and start no build', async () => {
  await using releaser = await createReleaser();
  const { root, publish, rebuild, commit, write, leftFolders } = await createRepository(releaser);
  await write('parts/pricing/package-lock.json', '{}');
  await publish('1.0.0');
  assert.deepEqual(
    await rebuild('1.0.0'),
    failsWith(
      `mf-pricing 1.0.0 was built from ${commit} with changes that are in no commit, so no rebuild can match. Commit them, build, and publish a new version.`,
    ),
  );
  await rm(join(root, '.git'), { recursive: true });
  await publish('1.1.0');
  assert.deepEqual(
    await rebuild('1.1.0'),
    failsWith(
      'The record of mf-pricing 1.1.0 names no commit: The build is not in a Git repository. Publish a new version from a commit.',
    ),
  );
  const { changelog, ...record } = (await releaser.site.store.versionRecord(part, '1.0.0')) ?? assert.fail();
  const branch = 'a'.repeat(50);
  const forged = { ...record, changelog: { changes: [], ...changelog, note: undefined } };
  for (const [version, forgery, expected] of [
    ['3.0.0', { commit: branch }, /^The record of mf-pricing 3\.0\.0 names no commit: /],
    ['3.1.0', { folder: 'a\n/../../elsewhere/dist' }, /3\.1\.0\.json in .* is damaged/],
  ] as const) {
    const changed = { ...forged, changelog: { ...forged.changelog, ...forgery } };
    await releaser.site.store.addVersion(part, version, new Map(), changed);
    assert.match((await rebuild(version)).stderr, expected);
  }
  assert.deepEqual(
    await rebuild('2.0.0'),
    failsWith(
      'mf-pricing 2.0.0 is not published. Name one of its published versions: 1.0.0, 1.1.0, 3.0.0, 3.1.0.',
    ),
  );
  assert.deepEqual(await leftFolders(), []);
});

test('rebuild: a repository without the commit is an error that names it', async () => {
  await using releaser = await createReleaser();
  const { root, publish, rebuild, commit } = await createRepository(releaser);
  await publish('1.0.0');
  await rm(join(root, '.git'), { recursive: true });
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  const { code, stderr } = await rebuild('1.0.0');
  assert.equal(code, 1);
  assert(
    stderr.endsWith(
      `Commit ${commit} cannot be fetched from ${root}. Fetch it there, or name its repository: --repository <url>.\n`,
    ),
  );
});

test('rebuild: a stop ends the build, and removes its folder', async () => {
  await using releaser = await createReleaser();
  const { root, publish, leftFolders, environment } = await createRepository(releaser);
  await publish('1.0.0');
  const record = (await releaser.site.store.versionRecord(part, '1.0.0')) ?? assert.fail();
  await releaser.site.store.addVersion(part, '9.9.9', new Map(), record);
  const words = [releaseCommand, 'rebuild', part, '9.9.9', '--repository', root];
  const running = spawn(process.execPath, words, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(running, 'close');
  const lines: string[] = [];
  for await (const line of createInterface(running.stderr)) {
    lines.push(line);
    if (line === 'build 9.9.9') running.kill('SIGTERM');
  }
  // The build has ended, too, because it would keep this stream open.
  assert.deepEqual(await ended, [1, null]);
  assert.equal(lines.at(-1), 'The rebuild of mf-pricing 9.9.9 was stopped, so nothing was compared.');
  assert.deepEqual(await leftFolders(), []);
});
