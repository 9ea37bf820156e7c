import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { partNames } from '@countersign/contracts/remotes';
import { writeBuiltPart, type BuiltPart } from './testing/built-part.ts';
import { fittingRemote, fittingShell } from './testing/fitting-part.ts';
import { runRelease, type Outcome } from './testing/run-release.ts';

let directory: string;
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'release-cli-'))));
afterEach(() => rm(directory, { recursive: true }));

/** Runs the command with a data folder of its own. */
const run = (words: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  runRelease(words, { DATA_DIR: join(directory, 'data'), ...environment });

/** Writes a build and returns its folder. */
async function build(part: BuiltPart): Promise<string> {
  const folder = await mkdtemp(join(directory, 'built-'));
  await writeBuiltPart(folder, part);
  return folder;
}

const says = (stdout: string): Outcome => ({ code: 0, stdout: `${stdout}\n`, stderr: '' });
const refuses = (stderr: string): Outcome => ({ code: 1, stdout: '', stderr: `${stderr}\n` });
const misunderstands = (stderr: string): Outcome => ({ code: 2, stdout: '', stderr: `${stderr}\n` });

for (const words of [[], ['help']]) {
  test(`"${words.join(' ')}" explains every command and names every part`, async () => {
    const { code, stdout, stderr } = await run(words);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    for (const command of [
      'publish <part> [folder]',
      'promote <part> <version>',
      'canary <part> <version>',
      'rollback <part> [version]',
      'status',
      'history',
      'verify',
      'prune',
      'serve',
      'DATA_DIR',
      'STORE_URL',
    ]) {
      assert(stdout.includes(command), command);
    }
    assert(stdout.includes(`Parts: ${partNames.join(', ')}`));
  });
}

test('a part is published, promoted and shown as live, with the version before it', async () => {
  assert.deepEqual(
    await run(['publish', 'shell', await build(fittingShell('1.0.0'))]),
    says('shell 1.0.0: stored'),
  );
  for (const version of ['2.0.0', '2.1.0']) {
    const folder = await build(fittingRemote('mf-pricing', version));
    assert.deepEqual(await run(['publish', 'mf-pricing', folder]), says(`mf-pricing ${version}: stored`));
    assert.deepEqual(await run(['publish', 'mf-pricing', folder]), says(`mf-pricing ${version}: unchanged`));
  }
  assert.match(
    (await run(['promote', 'shell', '1.0.0'])).stdout,
    /^shell 1\.0\.0 is live in release r-[0-9a-f]{12}\n$/,
  );
  await run(['promote', 'mf-pricing', '2.0.0']);
  const { stdout } = await run(['promote', 'mf-pricing', '2.1.0']);
  const [releaseId] = /r-[0-9a-f]{12}/.exec(stdout) ?? [];
  const status = await run(['status']);
  assert.match(status.stdout, new RegExp(`^release ${releaseId}, since \\S+Z by \\S+\n`));
  assert.deepEqual(status.stdout.split('\n').slice(1), [
    'part        live   before  canary',
    'shell       1.0.0  -       -',
    'mf-pricing  2.1.0  2.0.0   -',
    '',
  ]);
  assert.deepEqual(await readdir(join(directory, 'data')), ['site']);
});

test('a canary is given to some, a version is taken back, and the log says who did it and why', async () => {
  await run(['publish', 'shell', await build(fittingShell('1.0.0'))]);
  for (const version of ['2.0.0', '2.1.0']) {
    await run(['publish', 'mf-pricing', await build(fittingRemote('mf-pricing', version))]);
  }
  await run(['promote', 'shell', '1.0.0']);
  await run(['promote', 'mf-pricing', '2.0.0']);
  const releaser = { RELEASER: 'pricing team' };
  const canary = await run(['canary', 'mf-pricing', '2.1.0', '--percent', '10'], releaser);
  assert.match(canary.stdout, /^mf-pricing 2\.1\.0 is live for 10 % of visitors in release r-\w+\n$/);
  assert.match((await run(['status'])).stdout, /^mf-pricing +2\.0\.0 +- +2\.1\.0 for 10 %$/m);
  const back = await run(['rollback', 'mf-pricing', '--why', 'prices are wrong', '--json'], releaser);
  const { releaseId, ...rest } = JSON.parse(back.stdout);
  assert.match(releaseId, /^r-[0-9a-f]{12}$/);
  assert.deepEqual(rest, { part: 'mf-pricing', version: '2.0.0' });

  const entries = JSON.parse((await run(['history', '--json'])).stdout);
  assert.deepEqual(
    entries
      .slice(2)
      .map(({ who, action, from, to, why }: Record<string, unknown>) => ({ who, action, from, to, why })),
    [
      { who: 'pricing team', action: 'canary', from: '2.0.0', to: '2.0.0, 2.1.0 for 10 %', why: undefined },
      {
        who: 'pricing team',
        action: 'rollback',
        from: '2.0.0, 2.1.0 for 10 %',
        to: '2.0.0',
        why: 'prices are wrong',
      },
    ],
  );
  const [head, ...lines] = (await run(['history', '--most', '1'])).stdout.trimEnd().split('\n');
  assert.match(head ?? '', /^ +when +who +what +part +versions +release +why$/);
  assert.equal(lines.length, 1);
  assert.match(
    lines[0] ?? '',
    /^4 .* pricing team +rollback +mf-pricing +2\.0\.0, 2\.1\.0 for 10 % → 2\.0\.0 +r-\w{12} +prices are wrong$/,
  );
  const verified = await run(['verify']);
  assert.equal(verified.code, 0);
  assert.match(verified.stdout, /^\d+ files and 4 log entries: all as published\n$/);
  assert.deepEqual(await run(['prune']), says('0 versions and 0 releases removed'));
});

test('a releaser who sets nothing goes on with the configuration of the live page', async () => {
  await run(['publish', 'shell', await build(fittingShell('1.0.0'))]);
  await run(['publish', 'shell', await build(fittingShell('1.1.0'))]);
  await run(['promote', 'shell', '1.0.0'], { SITE_ORIGIN: 'https://www.example.org' });
  await run(['promote', 'shell', '1.1.0']);
  const page = await readFile(join(directory, 'data', 'site', 'current', 'index.html'), 'utf8');
  assert.match(page, /"siteOrigin":"https:\/\/www\.example\.org"/);
  assert.match(page, /"version":"1\.1\.0"/);
});

test('verify ends with exit code 1 when something is not as it was published', async () => {
  await run(['publish', 'shell', await build(fittingShell('1.0.0'))]);
  await run(['promote', 'shell', '1.0.0']);
  await writeFile(join(directory, 'data', 'site', 'parts', 'shell', '1.0.0', 'shell.js'), 'another');
  const { code, stdout } = await run(['verify', '--json']);
  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(stdout).faults, ['shell 1.0.0 has another shell.js than was published.']);
});

test('who does not own a part is refused, for everything that a release can be', async () => {
  const owners = join(directory, 'owners.json');
  const everybody = Object.fromEntries(partNames.map((name) => [name, ['*']]));
  await writeFile(owners, JSON.stringify({ ...everybody, 'mf-pricing': ['anna', 'ben'], 'mf-leads': [] }));
  const folder = await build(fittingRemote('mf-pricing', '1.0.0'));
  const environment = { OWNERS_FILE: owners, RELEASER: 'carl' };
  for (const words of [
    ['publish', 'mf-pricing', folder],
    ['promote', 'mf-pricing', '1.0.0'],
    ['canary', 'mf-pricing', '1.0.0', '--percent', '5'],
    ['rollback', 'mf-pricing'],
  ]) {
    assert.deepEqual(
      await run(words, environment),
      refuses(
        `carl may not release mf-pricing: its owners are anna, ben. Ask one of them, or to be added to ${owners}.`,
      ),
    );
  }
  assert.deepEqual(
    await run(['publish', 'mf-pricing', folder], { ...environment, RELEASER: 'ben' }),
    says('mf-pricing 1.0.0: stored'),
  );
  assert.match((await run(['rollback', 'mf-leads'], environment)).stderr, /its owners are nobody\./);
});

describe('a call that is not understood does nothing, says what is missing, and ends with exit code 2:', () => {
  const parts = partNames.join(', ');
  for (const [words, sentence] of [
    [['deploy'], 'There is no command "deploy". "npm run release -- help" lists them.'],
    [['publish'], `Say which part: ${parts}.`],
    [['promote'], `Say which part: ${parts}.`],
    [['promote', 'mf-unknown', '1.0.0'], `"mf-unknown" is no part. Say which: ${parts}.`],
    [['promote', 'shell'], 'Say which version. "--help" after the command shows how it is called.'],
    [
      ['canary', 'mf-pricing', '1.0.0'],
      'Required option \'--percent <number>\' not specified. "--help" after the command shows how it is called.',
    ],
    [
      ['canary', 'mf-pricing', '1.0.0', '--percent', '101'],
      '--percent must be a number from 0 to 100, but is "101".',
    ],
    [['history', '--most', 'all'], '--most must be a number from 1, but is "all".'],
  ] as const) {
    test(words.join(' '), async () => assert.deepEqual(await run(words), misunderstands(sentence)));
  }
});

describe('what a person can put right is said without a stack, with exit code 1:', () => {
  test('a version that is not published', async () => {
    assert.deepEqual(
      await run(['promote', 'shell', '1.0.0']),
      refuses('shell 1.0.0 is not published. Publish it, then promote it.'),
    );
  });

  test('a folder without a build', async () => {
    assert.deepEqual(
      await run(['publish', 'shell', directory]),
      refuses(`${directory} holds no build (no part.json). Build the part first.`),
    );
  });

  test('a folder that holds another part', async () => {
    const folder = await build(fittingRemote('mf-pricing', '1.0.0'));
    assert.deepEqual(
      await run(['publish', 'mf-header', folder]),
      refuses('The folder holds mf-pricing, not mf-header. Name the part that it holds.'),
    );
    const published = await run(['publish', 'mf-pricing', folder]);
    assert.match(
      JSON.stringify(published),
      /mf-pricing 1\.0\.0: stored/,
      'the refused publish stored nothing',
    );
  });

  test('other content under a version that is published', async () => {
    await run(['publish', 'shell', await build(fittingShell('1.0.0'))]);
    const changed = await build(fittingShell('1.0.0', { 'shell.js': 'changed' }));
    assert.deepEqual(
      await run(['publish', 'shell', changed]),
      refuses(
        'shell 1.0.0 is published already, with other content. Raise the version in shell/package.json and build again.',
      ),
    );
  });

  test('the status before anything is live', async () => {
    assert.deepEqual(
      await run(['status']),
      refuses('Nothing is live yet. Run npm start, or publish and promote every part.'),
    );
  });

  test('a version that leads to another folder', async () => {
    await run(['publish', 'shell', await build(fittingShell('1.0.0'))]);
    await run(['promote', 'shell', '1.0.0']);
    await run(['publish', 'mf-header', await build(fittingRemote('mf-header', '1.0.0'))]);
    assert.deepEqual(
      await run(['promote', 'mf-pricing', '../mf-header/1.0.0']),
      refuses('"../mf-header/1.0.0" is no version. Name one such as 1.2.3 or 1.2.3-rc.1.'),
    );
  });

  test('a live.json that is damaged', async () => {
    const path = join(directory, 'data', 'site', 'live.json');
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, '{');
    assert.deepEqual(
      await run(['status']),
      refuses(
        `live.json in ${join(directory, 'data', 'site')} is damaged. Put a copy of it back, or release into a new store.`,
      ),
    );
  });

  for (const content of [undefined, '{', '{ "shell": ["anna"] }']) {
    test(`a file of owners that holds ${content}`, async () => {
      const owners = join(directory, 'owners.json');
      if (content !== undefined) await writeFile(owners, content);
      assert.deepEqual(
        await run(['rollback', 'shell'], { OWNERS_FILE: owners }),
        refuses(
          `${owners} does not say who owns which part. It must hold a list of names for each of ${partNames.join(', ')}.`,
        ),
      );
    });
  }

  test('a bucket that cannot be served from here', async () => {
    assert.deepEqual(
      await run(['serve'], { STORE_URL: 's3://releases/site' }),
      refuses(
        'A site is served here from a folder only, and STORE_URL names a bucket. Remove STORE_URL, or put a web server or CDN in front of the bucket.',
      ),
    );
  });

  test('a bucket that cannot be reached', async () => {
    const { code, stderr } = await run(['status'], {
      STORE_URL: 's3://releases/site',
      S3_ENDPOINT: 'http://127.0.0.1:9',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
    });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^s3:\/\/releases\/site\/ does not do what it is asked \(.*ECONNREFUSED.*\)\. Check STORE_URL, .*\n$/,
    );
  });

  test('settings that are wrong', async () => {
    assert.deepEqual(
      await run(['status'], { PORT: 'http', DEFAULT_THEME: 'dark' }),
      refuses('PORT must be a port number from 0 to 65535. DEFAULT_THEME must be "system" or "light".'),
    );
  });
});

test('what nobody foresaw keeps its stack, for whoever looks into it', async () => {
  await mkdir(join(directory, 'data', 'site', 'live.json'), { recursive: true });
  const { code, stderr } = await run(['status']);
  assert.equal(code, 1);
  assert.match(stderr, /EISDIR[^]*\n +at .*directory-store\.ts/);
});
