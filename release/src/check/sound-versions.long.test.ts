import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { fragmentFile } from '@countersign/contracts/fragment';
import { documentTemplateFile } from '@countersign/contracts/part-manifest';
import sharp from 'sharp';
import { applyChange } from '../deploy/change.ts';
import type { BuiltPart } from '../testing/built-part.ts';
import { compatibleRemote, compatibleShell, minimalShellScript } from '../testing/compatible-part.ts';
import { browserOfTests } from '../testing/config.ts';
import { createTemporaryStore, sampleSite } from '../testing/temporary-store.ts';
import { violationsOf } from '../testing/violations-of.ts';
import { checkRelease } from './check-release.ts';

interface Block {
  readonly markup: string;
  /** Body of the function that gets its slot as `slot`. */
  readonly code?: string;
  readonly extra?: BuiltPart;
}

const photo = await sharp(randomBytes(224 * 224 * 3), { raw: { width: 224, height: 224, channels: 3 } })
  .png()
  .toBuffer();
assert(photo.length > 150_000);

const sound: Readonly<Record<string, Block>> = {
  'a counter that never ends': {
    markup: '<p>0</p>',
    code: `let count = 0; setInterval(() => { slot.firstElementChild.textContent = String(count += 1); }, 50);`,
  },
  'a typewriter': {
    markup: '<p>Sign</p>',
    code: `const text = 'Sign in order, and keep a record of it. '.repeat(2);
      const type = (length) => { slot.firstElementChild.textContent = text.slice(0, length); if (length < text.length) setTimeout(type, 60, length + 1); };
      type(1);`,
  },
  'fields that are named like properties of a form': {
    markup: `<form>${['children', 'matches', 'contains', 'attributes', 'textContent', 'nodeName', 'closest']
      .map((name) => `<p><label>${name} <input name="${name}"></label></p>`)
      .join('')}</form>`,
  },
  'an image of 150 kB': {
    markup: '<p><img src="/mf-pricing/1.1.0/photo.png" alt="Our office" width="224" height="224"></p>',
    extra: { 'photo.png': photo },
  },
};

/** A remote of which the block is the only one. */
function remoteOf(
  name: 'mf-leads' | 'mf-pricing',
  version: string,
  { markup, code = '', extra = {} }: Block,
) {
  return compatibleRemote(name, version, {
    extra: {
      [fragmentFile('./first')]: markup,
      'entry.js': `window['${name}@${version}'] = (slot) => { ${code} };`,
      ...extra,
    },
  });
}

/** A shell whose page removes a text three seconds after its start. */
function movingShell(): BuiltPart {
  const shell = compatibleShell('1.0.0', {
    'shell.js': `${minimalShellScript}\nsetTimeout(() => document.getElementById('status').remove(), 3000);`,
  });
  const template = String(shell[documentTemplateFile]).replace('</h1>', '</h1><p id="status">Ready</p>');
  return { ...shell, [documentTemplateFile]: template };
}

for (const [what, block] of Object.entries(sound)) {
  test(`check: a version with ${what} passes`, async () => {
    const version = remoteOf('mf-pricing', '1.1.0', block);
    assert.deepEqual(await violationsOf(version, 'mf-pricing', movingShell()), []);
  });

  test(`check: a live part with ${what} stops no other part`, async () => {
    await using site = await createTemporaryStore();
    const { markup, ...rest } = block;
    const other = { ...rest, markup: markup.replaceAll('mf-pricing/1.1.0', 'mf-leads/1.0.0') };
    await site.publish(
      movingShell(),
      compatibleRemote('mf-pricing', '1.0.0'),
      compatibleRemote('mf-pricing', '1.1.0'),
      remoteOf('mf-leads', '1.0.0', other),
    );
    const live = await site.deploy({ shell: '1.0.0', 'mf-pricing': '1.0.0', 'mf-leads': '1.0.0' });
    const change = { kind: 'promote', versions: { 'mf-pricing': '1.1.0' } } as const;
    const next = await applyChange(site.store, live, change);
    const candidate = { store: site.store, next, live, site: sampleSite, browser: browserOfTests };
    assert.deepEqual((await checkRelease(candidate)).violations, []);
  });
}
