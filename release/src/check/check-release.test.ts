import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileIntegrityGlobal } from '@countersign/contracts/file-integrity';
import type { PartManifest } from '@countersign/contracts/part-manifest';
import { integrityOf } from '../file-hash.ts';
import { applyChange } from '../flip/change.ts';
import type { BuiltPart } from '../testing/built-part.ts';
import { fittingRemote, fittingShell, givenProps, littleShell } from '../testing/fitting-part.ts';
import { createTemporaryStore, sampleSite } from '../testing/temporary-store.ts';
import { checkRelease } from './check-release.ts';

/** What the check has against a version 1.1.0 of mf-pricing, or of the shell, while their 1.0.0 are live. */
async function findings(
  candidate: BuiltPart,
  part: 'mf-pricing' | 'shell' = 'mf-pricing',
  shell = fittingShell('1.0.0'),
): Promise<string[]> {
  await using site = await createTemporaryStore();
  await site.publish(shell, fittingRemote('mf-pricing', '1.0.0'), candidate);
  const live = await site.flip({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  const change = { action: 'promote', versions: { [part]: '1.1.0' } } as const;
  const next = await applyChange(site.store, live, change);
  const outcome = await checkRelease({ store: site.store, next, live, site: sampleSite });
  return outcome.findings.map(({ rule, sentence }) => `${rule}: ${sentence}`);
}

const pricing = (options: Parameters<typeof fittingRemote>[2] = {}) =>
  fittingRemote('mf-pricing', '1.1.0', options);

test('nothing speaks against a version that fits', async () => {
  assert.deepEqual(await findings(pricing({ exposes: ['./first', './second'] })), []);
});

test('an exposed key that is gone is found, with what may have been its new name', async () => {
  assert.deepEqual(await findings(pricing({ exposes: ['./plans'] })), [
    "exposed-keys: mf-pricing 1.1.0 no longer exposes ./first, which 1.0.0 does. It has ./plans instead: was it renamed? Expose it again, or have the shell's team take it off the page first.",
  ]);
});

for (const [what, shared, sentence] of [
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
  test(`a remote with ${what} is found`, async () => {
    assert.deepEqual(await findings(pricing({ shared })), [`shared-modules: ${sentence}`]);
  });
}

test('a shell with another React major is found, for the sake of every remote that is live', async () => {
  const shell = fittingShell('1.1.0');
  const manifest = String(shell['part.json']).replace('"19.3.1"', '"20.0.0"').replace('^19.3.0', '^20.0.0');
  assert.deepEqual(await findings({ ...shell, 'part.json': manifest }, 'shell'), [
    "shared-modules: mf-pricing 1.0.0 wants react ^19.3.0, but the page has 20.0.0. Build it for that version, or have the shell's team release one that provides yours.",
  ]);
});

test('shared modules: those that disagree for one reason are one finding', async () => {
  const range = '^20.0.0';
  const shell = fittingShell('1.0.0');
  const provided = Object.fromEntries(
    ['react', 'react-dom', 'react/jsx-runtime'].map((name) => [
      name,
      { range: '^19.3.0', provided: '19.3.1' },
    ]),
  );
  const manifest = JSON.stringify({ ...JSON.parse(String(shell['part.json'])), shared: provided });
  const wanted = Object.fromEntries(Object.keys(provided).map((name) => [name, { range }]));
  assert.deepEqual(
    await findings(pricing({ shared: wanted }), 'mf-pricing', { ...shell, 'part.json': manifest }),
    [
      "shared-modules: mf-pricing 1.1.0 wants react, react-dom, and react/jsx-runtime ^20.0.0, but the page has 19.3.1. Build it for that version, or have the shell's team release one that provides yours.",
    ],
  );
});

for (const globalName of ['mf-pricing@1.0.0', 'shell@1.0.0', 'entries'] as const) {
  test(`global name: a version that takes ${globalName} is refused`, async () => {
    const built = pricing();
    const manifest = JSON.stringify({ ...JSON.parse(String(built['part.json'])), globalName });
    const entry = String(built['entry.js']).replace('mf-pricing@1.1.0', globalName);
    const [found] = await findings({ ...built, 'part.json': manifest, 'entry.js': entry });
    assert.equal(
      found,
      `exposed-keys: mf-pricing 1.1.0 exposes itself as "${globalName}", which is not its own name. Build it with the global name "mf-pricing@1.1.0".`,
    );
  });
}

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

test('size budget: a version over it is refused, with by how much and the heaviest files', async () => {
  const [found, ...others] = await findings(heavy);
  assert.match(
    found ?? '',
    /^size-budget: mf-pricing 1\.1\.0 has 4\d\.\d kB of script, [\d.]+ kB more than its budget of 40 kB\. Heaviest: exposed\.js \(4\d\.\d kB\) and entry\.js \(0\.1 kB\)\. .* raise the budget in mf-pricing\/remote\.ts\.$/,
  );
  assert.deepEqual(others, []);
});

test('size budget: the heaviest sources are named where the build tells them', async () => {
  const heaviestSources = {
    style: [],
    script: [
      { source: 'react-hook-form', share: 0.5 },
      { source: 'src/forms', share: 0.25 },
    ],
  };
  const [found = ''] = await findings(withManifest(heavy, { heaviestSources }));
  assert.match(found, /Heaviest: react-hook-form \(2\d\.\d kB\) and src\/forms \(1\d\.\d kB\)\./);
});

test('size budget: markup, styles and scripts are weighed apart', async () => {
  const markup = `<p>${noise(3000).replaceAll(/[<&>]/g, '')}</p>`;
  const built = pricing({ extra: { 'first.html': markup } });
  const budget = { markup: 2, style: 0.01, script: 1 };
  const found = await findings(withManifest(built, { fragments: { './first': 'first.html' }, budget }));
  assert.deepEqual(
    found.map((sentence) => / has [\d.]+ kB of (\w+)/.exec(sentence)?.[1]),
    ['markup', 'style'],
  );
});

test("size budget: the shell's markup is its document template", async () => {
  const budget = { markup: 0.01, style: 40, script: 40 };
  const [found, ...others] = await findings(withManifest(fittingShell('1.1.0'), { budget }), 'shell');
  assert.match(found ?? '', / kB of markup, .* Heaviest: document\.html .* in shell\/webpack\.config\.ts\.$/);
  assert.deepEqual(others, []);
});

test('a script that nothing vouches for is found; one whose hash stands in another is not', async () => {
  const lazy = '/* on demand */';
  const covered = { 'lazy.js': lazy, 'exposed.js': `/* ${integrityOf(new TextEncoder().encode(lazy))} */` };
  assert.deepEqual(await findings(pricing({ extra: covered })), []);
  assert.deepEqual(await findings(pricing({ extra: { 'lazy.js': lazy } })), [
    "complete-integrity: mf-pricing 1.1.0 holds lazy.js, whose hash stands nowhere in what the page checks. Build it with the project's webpack configuration, or leave the file out.",
  ]);
});

test('lazy chunks: a loader that asks the page for hashes covers them', async () => {
  const loader = `link.integrity = self.${fileIntegrityGlobal}(url);`;
  assert.deepEqual(
    await findings(pricing({ extra: { 'exposed.js': loader, 'lazy.js': '/**/', 'lazy.css': '' } })),
    [],
  );
});

test('findings: one fault in 76 places is one finding', async () => {
  const chunks = Object.fromEntries(Array.from({ length: 76 }, (_, index) => [`lazy-${index}.js`, '/**/']));
  const css = Array.from({ length: 76 }, (_, index) => `h2 .c${index} { color: red }`).join('\n');
  assert.deepEqual(await findings(pricing({ extra: { ...chunks, 'exposed.css': css } })), [
    "complete-integrity: mf-pricing 1.1.0 holds lazy-0.js, lazy-1.js, lazy-10.js and 73 more, whose hashes stand nowhere in what the page checks. Build it with the project's webpack configuration, or leave the files out.",
    'scoped-styles: mf-pricing 1.1.0 has "h2 .c0" in exposed.css, "h2 .c1" in exposed.css, "h2 .c2" in exposed.css and 73 more, which reach beyond its own elements. Put each under a class of a CSS Module.',
  ]);
});

for (const [css, escape] of [
  ['body { margin: 0 }', 'body'],
  ['.first-module-part-Ab12_x a, a:hover { color: red }', 'a:hover'],
  [':root { --color: red }', ':root'],
  ['body:has(.first-module-part-Ab12_x) { overflow: hidden }', 'body:has(.first-module-part-Ab12_x)'],
  ['@import "other.css";', '@import "other.css"'],
  ['@font-face { font-family: Own; src: url(own.woff2) }', '@font-face'],
  ['@keyframes fade { from { opacity: 0 } }', '@keyframes fade'],
  ['@media print { p { color: red } }', 'p'],
] as const) {
  test(`the style "${css}" is found to reach beyond its part`, async () => {
    assert.deepEqual(await findings(pricing({ extra: { 'exposed.css': css } })), [
      `scoped-styles: mf-pricing 1.1.0 has "${escape}" in exposed.css, which reaches beyond its own elements. Put it under a class of a CSS Module.`,
    ]);
  });
}

test('styles that stay inside are not found, however they are written', async () => {
  const css = `[data-theme='dark'] .a-module-b-Ab12_x > p { color: red; & em { color: blue } }
    @media (width > 40rem) { ._Ab12_x:is(:hover, :focus) { color: red } }
    @keyframes _fade-1 { from { opacity: 0 } 50% { opacity: 1 } }`;
  assert.deepEqual(await findings(pricing({ extra: { 'exposed.css': css } })), []);
});

test('a remote that wants what the shell does not give is found, in the words of the compiler', async () => {
  const props = '{ readonly shell: { notify(text: string): void; chat(): void } }';
  assert.deepEqual(await findings(pricing({ props })), [
    "contract-types: mf-pricing 1.1.0 and shell 1.0.0 were built for contracts that do not fit: Property 'chat' is missing in type '{ notify(text: string): void; }' but required in type '{ notify(text: string): void; chat(): void; }'. Build the older of the two anew.",
  ]);
});

test('a remote that wants less than the shell gives is not found', async () => {
  assert.deepEqual(await findings(pricing({ props: '{ readonly shell: object }' })), []);
});

test('a shell that gives less than a live remote wants is found', async () => {
  const shell = fittingShell('1.1.0');
  const contract = String(shell['contract/remotes.d.ts']).replace(givenProps, '{ readonly shell: object }');
  const [found, ...others] = await findings({ ...shell, 'contract/remotes.d.ts': contract }, 'shell');
  assert.match(found ?? '', /^contract-types: mf-pricing 1\.0\.0 and shell 1\.1\.0 .*'notify' is missing/);
  assert.deepEqual(others, []);
});

test('a remote that throws when it is rendered is found, with what it threw', async () => {
  const entry = `window['mf-pricing@1.1.0'] = () => { throw new Error('no plans'); };`;
  assert.deepEqual(await findings(pricing({ extra: { 'entry.js': entry } })), [
    'rendered-page: mf-pricing 1.1.0 does not come to life in the live shell (Error: no plans). Put it right and publish it under a new version.',
  ]);
});

/** A build of another tool: its entry loads the exposed chunk on its own. */
function foreignBuild(attributes: string): BuiltPart {
  const entry = `window['mf-pricing@1.1.0'] = () => {
    const rules = { createScriptURL: (url) => url };
    const script = document.createElement('script');
    script.src = trustedTypes.createPolicy('mf-pricing@1.1.0', rules).createScriptURL('/mf-pricing/1.1.0/exposed.js');
    ${attributes}
    document.head.append(script);
    return 'Prices';
  };`;
  return pricing({ extra: { 'entry.js': entry, 'exposed.js': '/* Modules */' } });
}

test('foreign build: one that requests its chunks with their hashes passes', async () => {
  const integrity = integrityOf(new TextEncoder().encode('/* Modules */'));
  assert.deepEqual(await findings(foreignBuild(`script.integrity = '${integrity}';`)), []);
});

test('foreign build: one that requests its chunks without hashes is refused', async () => {
  assert.deepEqual(await findings(foreignBuild('')), [
    "rendered-page: mf-pricing 1.1.0 asks for what browsers refuse under the page's policy: /mf-pricing/1.1.0/exposed.js (requested without a hash). Build it with the project's webpack configuration.",
  ]);
});

test('rendered page: a part that ends its process is refused', async () => {
  const process = "setTimeout.constructor('return process')()";
  const entry = `window['mf-pricing@1.1.0'] = () => ${process}.exit(0);`;
  assert.deepEqual(await findings(pricing({ extra: { 'entry.js': entry } })), [
    'rendered-page: mf-pricing 1.1.0 ended its process (exit code 0) when the page was rendered. Put it right and publish it under a new version.',
  ]);
});

test('a remote that renders nothing is found', async () => {
  const entry = `window['mf-pricing@1.1.0'] = () => '';`;
  assert.deepEqual(await findings(pricing({ extra: { 'entry.js': entry } })), [
    'rendered-page: mf-pricing 1.1.0 renders nothing. Put it right and publish it under a new version.',
  ]);
});

test('a shell in which a live remote no longer renders is found', async () => {
  const shell = fittingShell('1.1.0', {
    'shell.js': littleShell.replace('window[live.globalName]()', 'window[live.globalName].start()'),
  });
  const [found, ...others] = await findings(shell, 'shell');
  assert.match(found ?? '', /^rendered-page: mf-pricing 1\.0\.0 does not come to life in the live shell/);
  assert.deepEqual(others, []);
});

test('builds that say nothing of themselves are found', async () => {
  const built = pricing();
  const rest = Object.fromEntries(Object.entries(built).filter(([file]) => !file.startsWith('contract/')));
  assert.deepEqual(await findings(withManifest(rest, { shared: undefined, budget: undefined })), [
    'shared-modules: mf-pricing 1.1.0 does not say which modules it shares. Build and publish it anew.',
    'size-budget: mf-pricing 1.1.0 states no budget. Add "budget: { markup, style, script }" in kB to mf-pricing/remote.ts, or "budget" to the part.json of another bundler, then build and publish it again.',
    'contract-types: mf-pricing 1.1.0 does not say which contract it was built for. Build and publish it anew.',
  ]);
});

test('what has passed together is not looked at again: the second look takes the quick rules alone', async () => {
  await using site = await createTemporaryStore();
  await site.publish(fittingShell('1.0.0'), fittingRemote('mf-pricing', '1.0.0'), pricing());
  const live = await site.flip({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  const next = await applyChange(site.store, live, {
    action: 'promote',
    versions: { 'mf-pricing': '1.1.0' },
  });
  const looks = async () => {
    const rules: string[] = [];
    const progress = (rule: string) => void rules.push(rule);
    await checkRelease({ store: site.store, next, live, site: sampleSite }, { progress });
    return rules;
  };
  const quick = ['exposed-keys', 'shared-modules', 'size-budget', 'complete-integrity', 'scoped-styles'];
  assert.deepEqual(await looks(), [...quick, 'contract-types', 'rendered-page']);
  assert.deepEqual(await looks(), quick);
});
