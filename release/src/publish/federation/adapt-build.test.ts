import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  adaptFiles,
  buildName,
  builtFiles,
  builtFilesWithout,
  refusalOf,
} from '../../testing/federation-build.ts';
import type { RenderableBuild } from '../add-fragments.ts';

const noFiles = { js: { sync: [], async: [] }, css: { sync: [], async: [] } };

test('mf-manifest: a build becomes a part with contract, fragments and the files of its container', async () => {
  const rendered: RenderableBuild[] = [];
  const { manifest, read } = await adaptFiles(builtFiles(), rendered);
  assert.deepEqual(manifest, {
    name: 'mf-pricing',
    version: '1.4.0',
    globalName: buildName,
    entry: { scripts: ['entry.js'], styles: [] },
    exposes: { './pricing': { scripts: ['exposed.js'], styles: ['exposed.css'] } },
    fragments: { './pricing': 'fragments/pricing.html' },
    hydration: { './pricing': 'idle' },
    shared: { react: { range: '^19.3.0' } },
    budget: { markup: 1, style: 1, script: 20 },
    // `lazier.js` is in no list of the bundler, but its hash is in the loader.
    files: [
      'contract/remotes.d.ts',
      'contract/shell-api.d.ts',
      'entry.js',
      'exposed.css',
      'exposed.js',
      'fragments/pricing.html',
      'lazier.js',
      'lazy.css',
      'lazy.js',
      'plan.a1.png',
    ],
  });
  assert.equal(read[5], '<p>./pricing</p>', 'as the HTML parser writes it');
  assert.deepEqual(
    rendered.map(({ version, exposedKeys, code }) => [version, exposedKeys, code.size]),
    [['1.4.0', ['./pricing'], 6]],
  );
});

test('mf-manifest: fragments of the build are taken as they are, and nothing is rendered', async () => {
  const files = builtFiles();
  const settings = {
    ...JSON.parse(files['settings.json'] ?? ''),
    fragments: { './pricing': 'own/pricing.html' },
  };
  const rendered: RenderableBuild[] = [];
  const { manifest } = await adaptFiles(
    { ...files, 'settings.json': JSON.stringify(settings), 'dist/own/pricing.html': '<p>Own</p>' },
    rendered,
  );
  assert.deepEqual(manifest.fragments, { './pricing': 'own/pricing.html' });
  assert(manifest.files.includes('own/pricing.html'));
  assert.deepEqual(rendered, []);
});

test('mf-manifest: a loader that reads the hashes from the page needs none of its own', async () => {
  const asking = `${(builtFiles()['dist/entry.js'] ?? '').replaceAll('sha256', 'none')} script.integrity=self._FILE_INTEGRITY(url)`;
  const { manifest } = await adaptFiles({ ...builtFiles(), 'dist/entry.js': asking });
  assert(manifest.files.includes('lazy.js'));
});

for (const [what, files, message] of [
  [
    'no manifest',
    { 'dist/mf-manifest.json': '' },
    /^dist\/mf-manifest\.json is not valid: .* Build the part again, with Module Federation 2\.$/,
  ],
  [
    'a missing file',
    builtFilesWithout('dist/lazy.css'),
    /^dist does not hold "lazy\.css", which its mf-manifest\.json names\. Build the part again\.$/,
  ],
  [
    'a path to another folder',
    builtFiles({}, {}, { remoteEntry: { name: 'entry.js', path: '../..', type: 'global' } }),
    /^dist does not hold "\.\.\/\.\.\/entry\.js"/,
  ],
  [
    'an odd key',
    builtFiles({}, { exposes: [{ path: './"><script>', assets: noFiles }] }),
    /must be like "\.\/pricing"/,
  ],
  [
    'no contract',
    builtFilesWithout('contract/remotes.d.ts'),
    /^contract holds no remotes\.d\.ts\. Set "contract" in settings\.json/,
  ],
  [
    'no settings',
    builtFilesWithout('settings.json'),
    /^settings\.json is missing\. Create it with "budget" and "contract"/,
  ],
  [
    'a misspelt setting',
    { 'settings.json': '{ "budgets": {} }' },
    /^settings\.json is not valid: [^]*docs\/build-a-part\.md describes it\.$/,
  ],
  [
    'a fragment outside of the folder',
    {
      'settings.json':
        '{ "budget": { "markup": 1, "style": 1, "script": 1 }, "contract": "contract", "fragments": { "./pricing": "../pricing.html" } }',
    },
    /^mf-pricing 1\.4\.0 cannot be published: [^]*inside the folder[^]*Correct the build or its settings\.$/,
  ],
  [
    'the timing of an unknown key',
    {
      'settings.json':
        '{ "budget": { "markup": 1, "style": 1, "script": 1 }, "contract": "contract", "hydration": { "./prices": "load" } }',
    },
    /^settings\.json names "\.\/prices", which the build does not expose\. Its keys: \.\/pricing\.$/,
  ],
] as const) {
  test(`mf-manifest: ${what} is an error that says what to do`, async () => {
    assert.match(
      await refusalOf('contract/shell-api.d.ts' in files ? files : { ...builtFiles(), ...files }),
      message,
    );
  });
}

test('mf-manifest: the search for evaluated code takes linear time', async () => {
  const { manifest } = await adaptFiles(builtFiles({ 'lazy.js': 'eval('.repeat(400_000) }));
  assert(manifest.files.includes('lazy.js'));
});

test('mf-manifest: a contract with a link to a private file is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linked-'));
  try {
    await writeFile(join(folder, 'private'), 'private');
    await assert.rejects(
      adaptFiles(builtFiles(), [], (dist) =>
        symlink(join(folder, 'private'), join(dist, '../contract/more.d.ts')),
      ),
      /contract\/more\.d\.ts is not a regular file\. Replace it by a copy of the file\.$/,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('mf-manifest: a folder in the place of a file is an error that names it', async () => {
  await assert.rejects(
    adaptFiles(builtFiles(), [], async (dist) => {
      await mkdir(join(dist, 'part.json'));
    }),
    /dist\/part\.json cannot be written \(ERR_FS_EISDIR\)\. Let this user change the folder, or build again\.$/,
  );
});

test('mf-manifest: a symbolic link in the output leads no file elsewhere', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linked-'));
  try {
    await writeFile(join(folder, 'private.json'), 'private');
    const target = join(folder, 'private.json');
    const { manifest } = await adaptFiles(builtFiles(), [], (dist) =>
      symlink(target, join(dist, 'part.json')),
    );
    assert.equal(manifest.name, 'mf-pricing');
    assert.equal(await readFile(target, 'utf8'), 'private');
    await assert.rejects(
      adaptFiles(builtFiles(), [], (dist) => symlink(folder, join(dist, 'contract'))),
      /contract is a symbolic link\. Replace it by a folder and build again\.$/,
    );
    assert.deepEqual(await readdir(folder), ['private.json']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
