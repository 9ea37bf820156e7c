import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { fileIntegrityGlobal } from '@countersign/contracts/file-integrity';
import { fragmentFile, fragmentPlaceholders } from '@countersign/contracts/fragment';
import { defineJourneys, leadsTo, see } from '@countersign/contracts/journeys';
import type { PartManifest } from '@countersign/contracts/part-manifest';
import { applyChange } from '../deploy/change.ts';
import { integrityOf } from '../platform/integrity-of.ts';
import { exposedChunk, type BuiltPart } from '../testing/built-part.ts';
import {
  compatibleRemote,
  compatibleShell,
  contractOf,
  minimalShellScript,
} from '../testing/compatible-part.ts';
import { browserOfTests } from '../testing/config.ts';
import { createSiteOf, sampleSiteConfig } from '../testing/temporary-store.ts';
import { publishCandidate, violationsOf } from '../testing/violations-of.ts';
import { checkRelease } from './check-release.ts';

/** {@link violationsOf} without the slow rule `rendered-page`, for tests of the other rules. */
const violationsWithoutPage = (candidate: BuiltPart, shell?: BuiltPart) =>
  violationsOf(candidate, { skipsPage: true, shell });

const pricing = (extra?: BuiltPart, manifest?: Partial<PartManifest>) =>
  compatibleRemote('mf-pricing', '1.1.0', extra, manifest);

test('check: a version that exposes more and needs fewer props has no violations', async () => {
  const exposes = { './first': exposedChunk, './second': exposedChunk };
  const contract = contractOf('{ readonly shell: object }');
  assert.deepEqual(await violationsOf(pricing(contract, { exposes })), []);
});

test('check: a version without a key that the page shows is refused', async () => {
  const found = await violationsOf(pricing({}, { exposes: { './plans': exposedChunk }, fragments: {} }));
  assert.match(
    found.join('\n'),
    /^rendered-page: mf-pricing 1\.1\.0 renders nothing: mf-pricing: \.\/first\./,
  );
});

for (const [what, shared, message] of [
  [
    'a React of its own',
    { react: { range: '^19.3.0', provided: '19.3.1' } },
    'mf-pricing 1.1.0 wants react in a copy of its own: two copies would load, and break each other. Share it with import: false.',
  ],
  [
    'a module that the shell does not provide',
    { vue: { range: '^3.0.0' } },
    'mf-pricing 1.1.0 wants vue ^3.0.0, which the shell does not provide. Build it in instead of sharing it.',
  ],
] as const) {
  test(`shared modules: a remote with ${what} is a violation`, async () => {
    assert.deepEqual(await violationsWithoutPage(pricing({}, { shared })), [`shared-modules: ${message}`]);
  });
}

test('shared modules: a shell with another React major violates every live remote', async () => {
  const shared = { react: { range: '^20.0.0', provided: '20.0.0' } };
  assert.deepEqual(await violationsWithoutPage(compatibleShell('1.1.0', {}, { shared })), [
    "shared-modules: mf-pricing 1.0.0 wants react ^19.3.0, but the page has 20.0.0. Build it for that version, or have the shell's team release one that provides yours.",
  ]);
});

test('shared modules: modules with the same reason are one violation', async () => {
  const sharedAs = (module: { range: string; provided?: string }) => ({
    shared: { react: module, 'react-dom': module, 'react/jsx-runtime': module },
  });
  const shell = compatibleShell('1.0.0', {}, sharedAs({ range: '^19.3.0', provided: '19.3.1' }));
  assert.deepEqual(await violationsWithoutPage(pricing({}, sharedAs({ range: '^20.0.0' })), shell), [
    "shared-modules: mf-pricing 1.1.0 wants react, react-dom, and react/jsx-runtime ^20.0.0, but the page has 19.3.1. Build it for that version, or have the shell's team release one that provides yours.",
  ]);
});

/** Random hexadecimal digits, which compress to half of their length. */
const noise = (length: number) => randomBytes(length / 2).toString('hex');

test('size budget: a violation names the excess and the largest files', async () => {
  const [found, ...others] = await violationsWithoutPage(pricing({ 'exposed.js': `/*${noise(84_000)}*/` }));
  assert.match(
    found ?? '',
    /^size-budget: mf-pricing 1\.1\.0 has 4\d\.\d kB of script, [\d.]+ kB more than its budget of 40 kB\. Heaviest: exposed\.js \(4\d\.\d kB\) and entry\.js \(0\.0 kB\)\. Make it lighter, or raise the budget in mf-pricing\/remote\.ts\.$/,
  );
  assert.deepEqual(others, []);
});

test('size budget: markup, styles and scripts are measured separately', async () => {
  const markup = { [fragmentFile('./first')]: `<p>${noise(6000)}</p>` };
  const found = await violationsWithoutPage(
    pricing(markup, { budget: { markup: 2, style: 0.01, script: 1 } }),
  );
  assert.deepEqual(
    found.map((message) => / has [\d.]+ kB of (\w+)/.exec(message)?.[1]),
    ['markup', 'style'],
  );
});

test("size budget: the shell's markup is its document template", async () => {
  const budget = { markup: 0.01, style: 40, script: 40 };
  const [found, ...others] = await violationsWithoutPage(compatibleShell('1.1.0', {}, { budget }));
  assert.match(found ?? '', / kB of markup, .* Heaviest: document\.html .* in shell\/webpack\.config\.ts\.$/);
  assert.deepEqual(others, []);
});

test('size budget: a canary that was forced violates it again as it becomes live', async () => {
  await using site = await createSiteOf(compatibleShell('1.0.0'), compatibleRemote('mf-pricing', '1.0.0'));
  const heavy = pricing({}, { budget: { markup: 20, style: 10, script: 0 } });
  await site.publish(heavy);
  await site.change({ kind: 'canary', versions: { 'mf-pricing': '1.1.0' }, percent: 5 });
  const candidate = await publishCandidate(site, heavy);
  const { violations } = await checkRelease(candidate, { skipsPage: true, reuse: 'none' });
  assert.equal(violations[0]?.rule, 'size-budget');
});

test('lazy chunks: a script whose hash is in no page or script is a violation', async () => {
  const lazy = '/* on demand */';
  const loader = `link.integrity = self.${fileIntegrityGlobal}(url);`;
  for (const covering of [integrityOf(new TextEncoder().encode(lazy)), loader]) {
    const extra = { 'lazy.js': lazy, 'exposed.js': `/* ${covering} */` };
    assert.deepEqual(await violationsWithoutPage(pricing(extra)), []);
  }
  assert.deepEqual(await violationsWithoutPage(pricing({ 'lazy.js': lazy })), [
    "complete-integrity: mf-pricing 1.1.0 loads lazy.js without a hash that the page checks. Build it with the project's webpack configuration, or remove what is not needed.",
  ]);
});

test('violations: styles that reach too far in 76 places are one violation', async () => {
  const css = Array.from({ length: 76 }, (_, index) => `h2 .c${index} { color: red }`).join('\n');
  assert.deepEqual(await violationsWithoutPage(pricing({ 'exposed.css': css })), [
    'scoped-styles: mf-pricing 1.1.0 has styles that reach beyond its own elements: "h2 .c0" in exposed.css, "h2 .c1" in exposed.css, "h2 .c2" in exposed.css and 73 more. Put them under a class of a CSS Module.',
  ]);
});

test('contract types: a missing prop is a violation with the compiler’s message', async () => {
  const contract = contractOf('{ readonly shell: { notify(text: string): void; chat(): void } }');
  assert.deepEqual(await violationsWithoutPage(pricing(contract)), [
    "contract-types: mf-pricing 1.1.0 and shell 1.0.0 were built with incompatible contracts: Property 'chat' is missing in type '{ notify(text: string): void; }' but required in type '{ notify(text: string): void; chat(): void; }'. Rebuild the older of the two.",
  ]);
});

test('contract types: a shell that passes fewer props than a live remote needs fails', async () => {
  const shell = compatibleShell('1.1.0', contractOf('{ readonly shell: object }'));
  const [found, ...others] = await violationsWithoutPage(shell);
  assert.match(found ?? '', /^contract-types: mf-pricing 1\.0\.0 and shell 1\.1\.0 .*'notify' is missing/);
  assert.deepEqual(others, []);
});

test('contract types: a remote must suit the live shell, and a canary of the shell beside it', async () => {
  await using site = await createSiteOf(compatibleShell('1.0.0'), compatibleRemote('mf-pricing', '1.0.0'));
  await site.publish(compatibleShell('1.1.0', contractOf('{ readonly shell: object }')));
  await site.change({ kind: 'canary', versions: { shell: '1.1.0' }, percent: 5 });
  const candidate = await publishCandidate(site, pricing());
  const { violations } = await checkRelease(candidate, { skipsPage: true, reuse: 'none' });
  const [message, ...others] = violations.map((each) => each.message);
  assert.match(message ?? '', /^mf-pricing 1\.1\.0 and shell 1\.1\.0 .*'notify' is missing/);
  assert.deepEqual(others, []);
});

test('contract types: a contract that cannot be compiled is a violation', async () => {
  const [found] = await violationsWithoutPage(pricing(contractOf('{ readonly shell: ')));
  assert.match(
    found ?? '',
    /^contract-types: .* incompatible contracts: remote\/contract\/remotes\.d\.ts\(\S+: error TS/,
  );
});

test('rendered page: no journeys are followed for a new part while others are missing', async () => {
  const journeys = defineJourneys({ 'needs another part': [see('"Missing"')] });
  assert.deepEqual(await violationsOf(compatibleRemote('mf-leads', '1.0.0', {}, { journeys })), []);
});

test('rendered page: a shell in which a live remote fails is a violation', async () => {
  const script = minimalShellScript.replace('globalName](slot)', 'globalName].start(slot)');
  const [found, ...others] = await violationsOf(compatibleShell('1.1.0', { 'shell.js': script }));
  assert.match(
    found ?? '',
    /^rendered-page: shell 1\.1\.0 has slots that do not come to life: mf-pricing: \.\/first/,
  );
  assert.deepEqual(others, []);
});

test('rendered page: a new shell is not blamed for the images of a live remote', async () => {
  const photo = {
    'photo.png': randomBytes(1_200_000),
    [fragmentFile('./first')]: '<img src="/mf-leads/1.0.0/photo.png" alt="Office">',
  };
  const others = [compatibleRemote('mf-leads', '1.0.0', photo)];
  assert.deepEqual(await violationsOf(compatibleShell('1.1.0'), { others }), []);
});

test('rendered page: new settings with which a live version breaks its promise are refused', async () => {
  const termsUrl = `${sampleSiteConfig.siteOrigin}/terms`;
  const fragment = `<p><a href="${fragmentPlaceholders.termsUrl}">Terms</a></p>`;
  const journeys = defineJourneys({ 'the terms can be read': [leadsTo('link "Terms"', '/terms')] });
  const linked = compatibleRemote('mf-pricing', '1.0.0', { [fragmentFile('./first')]: fragment });
  await using site = await createSiteOf(compatibleShell('1.0.0', {}, { journeys }), linked);
  await site.publish(compatibleShell('1.1.0'));
  const { store } = site;
  const { release: liveRelease } = await store.liveStore.require();
  const settings = { siteConfig: sampleSiteConfig, liveSiteConfig: { ...sampleSiteConfig, termsUrl } };
  const canary = { kind: 'canary', versions: { shell: '1.1.0' }, percent: 5 } as const;
  // Beside the canary, which does not promise it, others get the live shell.
  for (const next of [liveRelease, await applyChange(store, liveRelease, canary)]) {
    const candidate = { store, next, liveRelease, ...settings, browserLocation: browserOfTests };
    const { violations } = await checkRelease(candidate, { skipsPage: false, reuse: 'same live versions' });
    assert.match(
      violations.map(({ message }) => message).join('\n'),
      /^shell 1\.0\.0 with the new settings breaks its own journey "the terms .*: element is not enabled\. Picture: .* Correct the settings\.$/,
    );
  }
});

test('check: a build without metadata violates each rule that needs it', async () => {
  const files = ['entry.js', 'exposed.js', 'exposed.css', fragmentFile('./first')];
  const withoutMetadata = pricing({}, { files, shared: undefined, budget: undefined });
  assert.deepEqual(await violationsWithoutPage(withoutMetadata), [
    'shared-modules: mf-pricing 1.1.0 does not list its shared modules. Build and publish it again.',
    'size-budget: mf-pricing 1.1.0 states no budget. Add "budget: { markup, style, script }" in kB to mf-pricing/remote.ts, then build and publish it again.',
    "contract-types: mf-pricing 1.1.0 and shell 1.0.0 were built with incompatible contracts: Cannot find module './remote/contract/remotes' or its corresponding type declarations. Rebuild the older of the two.",
  ]);
});
