import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { bundledEntriesAttribute } from '@countersign/contracts/page-markup';
import type { RemoteName } from '@countersign/contracts/remotes';
import { JSDOM } from 'jsdom';
import { ReleaseError } from '../platform/release-error.ts';
import { ReleaseStore } from '../store/release-store.ts';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import { intercept } from '../testing/interleaved-store.ts';
import { createSiteOf, pageOf, type TemporaryStore } from '../testing/temporary-store.ts';
import { bundleEntries } from './entry-bundle.ts';

/** An entry that says from where it was loaded, in the way of a container whose name is no identifier. */
const entryOf = (globalName: string) =>
  `self[${JSON.stringify(globalName)}] =\n  document.currentScript.src;\n//# sourceMappingURL=entry.js.map\n`;

const remoteWith = (name: RemoteName, entry = entryOf(`${name}@1.0.0`)) =>
  builtRemote(name, '1.0.0', { 'entry.js': entry });

const siteWith = (...remotes: readonly (readonly [RemoteName, string?])[]) =>
  createSiteOf(builtShell('1.0.0'), ...remotes.map(([name, entry]) => remoteWith(name, entry)));

/** The bundle's link in the page, its script, and what preload links the page has beside it. */
async function readBundle(site: TemporaryStore, name?: string) {
  const { document } = new JSDOM(await pageOf(site, name)).window;
  const link = document.querySelector(`link[${bundledEntriesAttribute}]`);
  const entries = (link?.getAttribute(bundledEntriesAttribute) ?? '').match(/\d+ \S+/g) ?? [];
  return {
    entries: entries.map((entry) => entry.split(' ')[1]),
    lines: entries.map((entry) => Number.parseInt(entry)),
    script: link ? await pageOf(site, link.getAttribute('href')?.slice(1)) : '',
    integrity: link?.getAttribute('integrity') ?? '',
    policy: document.querySelector('meta[http-equiv]')?.getAttribute('content') ?? '',
    preloads: [...document.querySelectorAll('link[rel=preload][as=script]')].map((each) =>
      each.getAttribute('href'),
    ),
  };
}

/** Runs a script as a browser does. Returns the globals that it defines. */
function run(script: string): Readonly<Record<string, unknown>> {
  const globals: Record<string, unknown> = {};
  const address = new URL('https://www.example.com/');
  runInContext(script, createContext({ self: globals, document: {}, location: address, URL }));
  return globals;
}

test('entry bundle: each entry runs once, as if from its own file', async () => {
  await using site = await siteWith(['mf-header'], ['mf-pricing'], ['mf-leads']);
  const { entries, lines, script, integrity, policy, preloads } = await readBundle(site);
  assert.deepEqual(run(script), {
    'mf-header@1.0.0': 'https://www.example.com/mf-header/1.0.0/entry.js',
    'mf-pricing@1.0.0': 'https://www.example.com/mf-pricing/1.0.0/entry.js',
    'mf-leads@1.0.0': 'https://www.example.com/mf-leads/1.0.0/entry.js',
  });
  assert.equal(integrity, `sha256-${createHash('sha256').update(script).digest('base64')}`);
  assert(policy.includes(`'${integrity}'`));
  assert.doesNotMatch(script, /sourceMappingURL/);
  // A line number is that of the line that names the entry.
  const scriptLines = script.split('\n');
  for (const [index, url] of entries.entries()) {
    assert.match(scriptLines[(lines[index] ?? 0) - 1] ?? '', new RegExp(`^\\S+"${url}"`));
  }
  assert(!preloads.includes('/mf-pricing/1.0.0/entry.js'));
});

test('entry bundle: an entry that throws ends no other', async () => {
  await using site = await siteWith(
    ['mf-header', 'throw new Error("mf-header@1.0.0")'],
    ['mf-pricing'],
    ['mf-leads'],
  );
  assert.deepEqual(Object.keys(run((await readBundle(site)).script)), ['mf-pricing@1.0.0', 'mf-leads@1.0.0']);
});

for (const [what, entry] of Object.entries({
  'is not complete': 'self["mf-header@1.0.0"] = (',
  'would end the block that it is in': '}catch{}; self["mf-header@1.0.0"] = {}; try{',
  'does not name its global': 'self.other = {}',
})) {
  test(`entry bundle: an entry that ${what} is loaded on its own`, async () => {
    await using site = await siteWith(['mf-header', entry], ['mf-pricing'], ['mf-leads']);
    const { entries, preloads } = await readBundle(site);
    assert.deepEqual(entries, ['/mf-pricing/1.0.0/entry.js', '/mf-leads/1.0.0/entry.js']);
    assert(preloads.includes('/mf-header/1.0.0/entry.js'));
  });
}

test('entry bundle: a lost entry is left out, but a failed request refuses the change', async () => {
  await using site = await siteWith(['mf-header'], ['mf-pricing'], ['mf-leads']);
  const { release } = await site.store.liveStore.require();
  const key = 'parts/mf-header/1.0.0/entry.js';
  const failing = intercept(site.objects, async (call, forward) => {
    if (call.key === key) throw new ReleaseError('A request failed.');
    return forward();
  });
  await assert.rejects(bundleEntries(new ReleaseStore(failing), release), /A request failed\./);
  await site.objects.remove([key]);
  const bundle = await bundleEntries(new ReleaseStore(site.objects), release);
  assert.deepEqual(
    bundle?.entries.map(({ url }) => url),
    ['/mf-pricing/1.0.0/entry.js', '/mf-leads/1.0.0/entry.js'],
  );
});

test('entry bundle: a part with a canary loads alone, and one part needs none', async () => {
  await using site = await siteWith(['mf-header'], ['mf-pricing'], ['mf-leads']);
  await site.publish(builtRemote('mf-pricing', '1.1.0'), builtRemote('mf-header', '1.1.0'));
  await site.change({ kind: 'canary', versions: { 'mf-pricing': '1.1.0' }, percent: 10 });
  assert.deepEqual((await readBundle(site)).entries, [
    '/mf-header/1.0.0/entry.js',
    '/mf-leads/1.0.0/entry.js',
  ]);
  await site.change({ kind: 'canary', versions: { 'mf-header': '1.1.0' }, percent: 10 });
  assert.deepEqual((await readBundle(site)).entries, []);
});

test('entry bundle: the preview page has none, because a local build may replace each part', async () => {
  await using site = await siteWith(['mf-header'], ['mf-pricing']);
  assert.deepEqual((await readBundle(site, 'preview.html')).entries, []);
});

test('entry bundle: releases with the same entries share it', async () => {
  await using site = await siteWith(['mf-header'], ['mf-pricing']);
  const before = await readBundle(site);
  await site.publish(builtShell('1.1.0', { 'shell.css': 'body { margin: 1px }' }));
  await site.deploy({ shell: '1.1.0' });
  assert.deepEqual((await readBundle(site)).integrity, before.integrity);
});
