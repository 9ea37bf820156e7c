import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileIntegrityGlobal } from '@countersign/contracts/file-integrity';
import { defineJourneys, see } from '@countersign/contracts/journeys';
import type { PartManifest } from '@countersign/contracts/part-manifest';
import { applyChange } from '../deploy/change.ts';
import { integrityOf } from '../store/file-hash.ts';
import type { BuiltPart } from '../testing/built-part.ts';
import {
  compatibleRemote,
  compatibleShell,
  givenProps,
  minimalShellScript,
} from '../testing/compatible-part.ts';
import { browserOfTests } from '../testing/config.ts';
import { createTemporaryStore, sampleSite } from '../testing/temporary-store.ts';
import { violationsOf } from '../testing/violations-of.ts';
import { renderedPage } from './rendered-page.ts';

/** The same without the slow rules, for tests of the others. */
const quickViolationsOf = (candidate: BuiltPart, part?: 'mf-pricing' | 'shell', shell?: BuiltPart) =>
  violationsOf(candidate, part, shell, true);

const pricing = (options: Parameters<typeof compatibleRemote>[2] = {}) =>
  compatibleRemote('mf-pricing', '1.1.0', options);

test('check: a compatible version has no violations', async () => {
  assert.deepEqual(await violationsOf(pricing({ exposes: ['./first', './second'] })), []);
});

test('exposed keys: a removed key is a violation that suggests its new name', async () => {
  assert.deepEqual(await quickViolationsOf(pricing({ exposes: ['./plans'] })), [
    "exposed-keys: mf-pricing 1.1.0 no longer exposes ./first, which 1.0.0 does. It has ./plans instead: was it renamed? Expose it again, or have the shell's team take it off the page first.",
  ]);
});

for (const [what, shared, message] of [
  [
    'another React major',
    { react: { range: '^20.0.0' } },
    "mf-pricing 1.1.0 wants react ^20.0.0, but the page has 19.3.1. Build it for that version, or have the shell's team release one that provides yours.",
  ],
  [
    'a React of its own',
    { react: { range: '^19.3.0', provided: '19.3.1' } },
    'mf-pricing 1.1.0 brings its own react 19.3.1: two copies would load, and break each other. Share it with import: false.',
  ],
  [
    'a module that the shell does not provide',
    { vue: { range: '^3.0.0' } },
    'mf-pricing 1.1.0 wants vue ^3.0.0, which the shell does not provide. Build it in instead of sharing it.',
  ],
] as const) {
  test(`shared modules: a remote with ${what} is a violation`, async () => {
    assert.deepEqual(await quickViolationsOf(pricing({ shared })), [`shared-modules: ${message}`]);
  });
}

test('shared modules: a shell with another React major violates every live remote', async () => {
  const shell = compatibleShell('1.1.0');
  const manifest = String(shell['part.json']).replace('"19.3.1"', '"20.0.0"').replace('^19.3.0', '^20.0.0');
  assert.deepEqual(await quickViolationsOf({ ...shell, 'part.json': manifest }, 'shell'), [
    "shared-modules: mf-pricing 1.0.0 wants react ^19.3.0, but the page has 20.0.0. Build it for that version, or have the shell's team release one that provides yours.",
  ]);
});

test('shared modules: modules with the same reason are one violation', async () => {
  const range = '^20.0.0';
  const shell = compatibleShell('1.0.0');
  const provided = Object.fromEntries(
    ['react', 'react-dom', 'react/jsx-runtime'].map((name) => [
      name,
      { range: '^19.3.0', provided: '19.3.1' },
    ]),
  );
  const manifest = JSON.stringify({ ...JSON.parse(String(shell['part.json'])), shared: provided });
  const wanted = Object.fromEntries(Object.keys(provided).map((name) => [name, { range }]));
  assert.deepEqual(
    await quickViolationsOf(pricing({ shared: wanted }), 'mf-pricing', { ...shell, 'part.json': manifest }),
    [
      "shared-modules: mf-pricing 1.1.0 wants react, react-dom, and react/jsx-runtime ^20.0.0, but the page has 19.3.1. Build it for that version, or have the shell's team release one that provides yours.",
    ],
  );
});

/** Text that cannot be compressed. */
function noise(length: number): string {
  let seed = 1;
  const characters = Array.from({ length }, () =>
    String.fromCharCode(33 + ((seed = (seed * 16807) % 2147483647) % 90)),
  );
  return characters.join('').replaceAll('*/', '');
}

/** The same build with other entries in its `part.json`. */
function withManifest(built: BuiltPart, entries: Partial<PartManifest>): BuiltPart {
  return {
    ...built,
    'part.json': JSON.stringify({ ...JSON.parse(String(built['part.json'])), ...entries }),
  };
}

const heavy = pricing({ extra: { 'exposed.js': `/*${noise(50_000)}*/` } });

test('size budget: a violation names the excess and the largest files', async () => {
  const [found, ...others] = await quickViolationsOf(heavy);
  assert.match(
    found ?? '',
    /^size-budget: mf-pricing 1\.1\.0 has 4\d\.\d kB of script, [\d.]+ kB more than its budget of 40 kB\. Heaviest: exposed\.js \(4\d\.\d kB\) and entry\.js \(0\.0 kB\)\. .* raise the budget in mf-pricing\/remote\.ts\.$/,
  );
  assert.deepEqual(others, []);
});

test('size budget: markup, styles and scripts are measured separately', async () => {
  const markup = `<p>${noise(3000).replaceAll(/[<&>]/g, '')}</p>`;
  const built = pricing({ extra: { 'first.html': markup } });
  const budget = { markup: 2, style: 0.01, script: 1 };
  const found = await quickViolationsOf(
    withManifest(built, { fragments: { './first': 'first.html' }, budget }),
  );
  assert.deepEqual(
    found.map((message) => / has [\d.]+ kB of (\w+)/.exec(message)?.[1]),
    ['markup', 'style'],
  );
});

test("size budget: the shell's markup is its document template", async () => {
  const budget = { markup: 0.01, style: 40, script: 40 };
  const [found, ...others] = await quickViolationsOf(
    withManifest(compatibleShell('1.1.0'), { budget }),
    'shell',
  );
  assert.match(found ?? '', / kB of markup, .* Heaviest: document\.html .* in shell\/webpack\.config\.ts\.$/);
  assert.deepEqual(others, []);
});

test('lazy chunks: a script whose hash neither the page nor another script has is a violation', async () => {
  const lazy = '/* on demand */';
  const loader = `link.integrity = self.${fileIntegrityGlobal}(url);`;
  for (const covering of [integrityOf(new TextEncoder().encode(lazy)), loader]) {
    const extra = { 'lazy.js': lazy, 'exposed.js': `/* ${covering} */` };
    assert.deepEqual(await quickViolationsOf(pricing({ extra })), []);
  }
  assert.deepEqual(await quickViolationsOf(pricing({ extra: { 'lazy.js': lazy } })), [
    "complete-integrity: mf-pricing 1.1.0 holds lazy.js, whose hash stands nowhere in what the page checks. Build it with the project's webpack configuration, or remove the file.",
  ]);
});

test('violations: a mistake in 76 places is one violation', async () => {
  const css = Array.from({ length: 76 }, (_, index) => `h2 .c${index} { color: red }`).join('\n');
  assert.deepEqual(await quickViolationsOf(pricing({ extra: { 'exposed.css': css } })), [
    'scoped-styles: mf-pricing 1.1.0 has "h2 .c0" in exposed.css, "h2 .c1" in exposed.css, "h2 .c2" in exposed.css and 73 more, which reach beyond its own elements. Put each under a class of a CSS Module.',
  ]);
});

test('contract types: a missing prop is a violation with the compiler’s message', async () => {
  const props = '{ readonly shell: { notify(text: string): void; chat(): void } }';
  assert.deepEqual(await violationsOf(pricing({ props })), [
    "contract-types: mf-pricing 1.1.0 and shell 1.0.0 were built with incompatible contracts: Property 'chat' is missing in type '{ notify(text: string): void; }' but required in type '{ notify(text: string): void; chat(): void; }'. Rebuild the older of the two.",
  ]);
});

test('contract types: a remote that needs fewer props passes', async () => {
  assert.deepEqual(await violationsOf(pricing({ props: '{ readonly shell: object }' })), []);
});

test('contract types: a shell that passes fewer props than a live remote needs fails', async () => {
  const shell = compatibleShell('1.1.0');
  const contract = String(shell['contract/remotes.d.ts']).replace(givenProps, '{ readonly shell: object }');
  const [found, ...others] = await violationsOf({ ...shell, 'contract/remotes.d.ts': contract }, 'shell');
  assert.match(found ?? '', /^contract-types: mf-pricing 1\.0\.0 and shell 1\.1\.0 .*'notify' is missing/);
  assert.deepEqual(others, []);
});

test('rendered page: a part that comes to a page without the others is not used yet', async () => {
  await using site = await createTemporaryStore();
  const journeys = defineJourneys({ 'needs another part': [see('"Missing"')] });
  await site.publish(compatibleShell('1.0.0'), compatibleRemote('mf-pricing', '1.0.0', { journeys }));
  const live = await site.deploy({ shell: '1.0.0' });
  const change = { kind: 'promote', versions: { 'mf-pricing': '1.0.0' } } as const;
  const next = await applyChange(site.store, live, change);
  const candidate = { store: site.store, next, live, site: sampleSite, browser: browserOfTests };
  assert.deepEqual(await renderedPage(candidate, [{ part: 'mf-pricing', version: '1.0.0' }]), []);
});

test('rendered page: a shell in which a live remote fails is a violation', async () => {
  const shell = compatibleShell('1.1.0', {
    'shell.js': minimalShellScript.replace(
      'window[live.globalName](slot)',
      'window[live.globalName].start(slot)',
    ),
  });
  const [found, ...others] = await violationsOf(shell, 'shell');
  assert.match(found ?? '', /^rendered-page: shell 1\.1\.0 does not come to life in the live shell/);
  assert.deepEqual(others, []);
});

test('check: a build without metadata violates each rule that needs it', async () => {
  const built = pricing();
  const rest = Object.fromEntries(Object.entries(built).filter(([file]) => !file.startsWith('contract/')));
  const files = Object.keys(rest).filter((file) => file !== 'part.json');
  const withoutMetadata = withManifest(rest, { files, shared: undefined, budget: undefined });
  assert.deepEqual(await violationsOf(withoutMetadata), [
    'shared-modules: mf-pricing 1.1.0 does not list its shared modules. Build and publish it again.',
    'size-budget: mf-pricing 1.1.0 states no budget. Add "budget: { markup, style, script }" in kB to mf-pricing/remote.ts, then build and publish it again.',
    'contract-types: mf-pricing 1.1.0 does not contain its contract. Build and publish it again.',
  ]);
});
