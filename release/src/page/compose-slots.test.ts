import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { documentTemplateFile } from '@countersign/contracts/part-manifest';
import type { RemoteName } from '@countersign/contracts/remotes';
import {
  canarySlotAttributes,
  markupHash,
  slotAttributes,
  slotMarker,
} from '@countersign/contracts/page-markup';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { JSDOM } from 'jsdom';
import { deployRelease } from '../deploy/deploy-release.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { ReleaseStore } from '../store/release-store.ts';
import { builtRemote, builtShell, templateOf, type BuiltPart } from '../testing/built-part.ts';
import { createSiteOf, pageOf, sampleSiteConfig, type TemporaryStore } from '../testing/temporary-store.ts';
import { pageStyles } from './page-styles.ts';

const places = [
  ['mf-header', './first'],
  ['mf-pricing', './first'],
  ['mf-pricing', './second'],
] as const;

function shellWithSlots(): BuiltPart {
  const slots = places.map(([remote, exposed]) => slotMarker(remote, exposed)).join('');
  return builtShell('1.0.0', { [documentTemplateFile]: templateOf(slots) });
}

/** A build whose fragments are a paragraph with a link. */
function rendered(name: RemoteName, version: string, extra: BuiltPart = {}): BuiltPart {
  const fragment = (key: string) =>
    `<p class="part">${key} of ${version}</p><a href="https://app-host.invalid/login">Sign In</a>`;
  return builtRemote(
    name,
    version,
    {
      'exposed.css': `.part { background: url(dot.png) } /* ${version} */`,
      'fragments/first.html': fragment('first'),
      'fragments/second.html': fragment('second'),
      ...extra,
    },
    {
      fragments: { './first': 'fragments/first.html', './second': 'fragments/second.html' },
      hydration: { './first': 'interaction', './second': 'visible' },
    },
  );
}

async function createSite(...more: readonly BuiltPart[]): Promise<TemporaryStore> {
  const live = [shellWithSlots(), builtRemote('mf-header', '1.0.0'), rendered('mf-pricing', '1.0.0')];
  const site = await createSiteOf(...live);
  await site.publish(...more);
  return site;
}

async function documentOf(site: TemporaryStore, name?: string): Promise<Document> {
  return new JSDOM(await pageOf(site, name)).window.document;
}

const slotsIn = (root: ParentNode) =>
  [...root.querySelectorAll(`[${slotAttributes.remote}]`)].map((slot) => [
    slot.getAttribute(slotAttributes.remote),
    slot.getAttribute(slotAttributes.exposed),
    slot.getAttribute(slotAttributes.prerendered),
    slot.textContent,
  ]);

test("slots: each live version's markup stands in its place, which stays empty without any", async () => {
  await using site = await createSite();
  for (const name of ['index.html', 'preview.html']) {
    assert.deepEqual(slotsIn(await documentOf(site, name)), [
      ['mf-header', './first', null, ''],
      ['mf-pricing', './first', '1.0.0', 'first of 1.0.0Sign In'],
      ['mf-pricing', './second', '1.0.0', 'second of 1.0.0Sign In'],
    ]);
  }
  assert.deepEqual(slotsIn(await documentOf(site, '404.html')), []);
});

test('slots: links lead to the configured application, also with a port', async () => {
  await using site = await createSite();
  await site.deploy({}, { ...sampleSiteConfig, appHost: 'https://app.example:8443' });
  const links = [...(await documentOf(site)).querySelectorAll('a')].map((link) => link.href);
  assert.deepEqual(links, ['https://app.example:8443/login', 'https://app.example:8443/login']);
  assert.doesNotMatch(await pageOf(site), /\.invalid/);
});

test("slots: a part's styles stand once, before its first slot, named after their file", async () => {
  await using site = await createSite();
  const document = await documentOf(site);
  const styles = [...document.querySelectorAll('style[data-href]')];
  assert.deepEqual(
    styles.map((style) => [style.getAttribute('data-href'), style.textContent, style.nextElementSibling]),
    [
      ['exposed.css', '.part { color: red }', document.querySelector('[data-remote=mf-header]')],
      [
        'exposed.css',
        '.part { background: url(/mf-pricing/1.0.0/dot.png) } /* 1.0.0 */',
        document.querySelector('[data-remote=mf-pricing]'),
      ],
    ],
  );
});

test('slots: code that no visitor needs at once is not loaded ahead', async () => {
  await using site = await createSite();
  const links = [...(await documentOf(site)).querySelectorAll('link[rel=preload]')];
  assert.deepEqual(
    links.map((link) => link.getAttribute('href')),
    ['/shell/1.0.0/shell.js', '/mf-header/1.0.0/entry.js', '/mf-header/1.0.0/exposed.js'],
  );
});

test("slots: a canary's markup stands in a template behind that of the live version", async () => {
  await using site = await createSite(rendered('mf-pricing', '1.1.0'));
  const allowedStyles = async () => /style-src [^;]*/.exec(await pageOf(site))?.[0].split(' ').length ?? 0;
  const before = await allowedStyles();
  await site.change({ kind: 'canary', versions: { 'mf-pricing': '1.1.0' }, percent: 12.5 });
  const { body } = await documentOf(site);
  const { remote, percent, version } = canarySlotAttributes;
  const templates = [...body.querySelectorAll<HTMLTemplateElement>(`[${remote}]`)];
  assert.deepEqual(
    templates.map((template) => [
      ...[remote, percent, version].map((name) => template.getAttribute(name)),
      template.previousElementSibling?.getAttribute(slotAttributes.prerendered),
      template.content.querySelectorAll('style').length,
      slotsIn(template.content),
    ]),
    // With the number of style elements: the second slot shares that of the first.
    [
      [1, 'first'],
      [0, 'second'],
    ].map(([styles, key]) => [
      ...['mf-pricing', '12.5', '1.1.0', '1.0.0', styles],
      [['mf-pricing', `./${key}`, '1.1.0', `${key} of 1.1.0Sign In`]],
    ]),
  );
  const slots = [body, ...templates.map(({ content }) => content)].flatMap((root) => [
    ...root.querySelectorAll(`[${slotAttributes.prerendered}]`),
  ]);
  assert.equal(slots.length, 4);
  for (const slot of slots)
    assert.equal(slot.getAttribute(slotAttributes.markupHash), markupHash(slot.innerHTML));
  assert.equal(await allowedStyles(), before + 1);
  assert.doesNotMatch(await pageOf(site, 'preview.html'), new RegExp(remote));
});

test('slots: a fragment that is not what was published is not put into a page', async () => {
  await using site = await createSite(rendered('mf-pricing', '1.1.0'));
  await site.deploy({ 'mf-pricing': '1.1.0' });
  const path = join(site.objects.pathOf('parts'), 'mf-pricing', '1.1.0', 'fragments', 'first.html');
  await writeFile(path, '<p>Other</p>');
  const before = await pageOf(site);
  const changed = { ...sampleSiteConfig, siteOrigin: 'https://www.example.org' };
  // Another store, because one reads each file once.
  const store = new ReleaseStore(site.objects);
  await assert.rejects(
    deployRelease(store, { kind: 'promote', versions: {} }, () => changed, { who: 'a test' }),
    new ReleaseError(
      'fragments/first.html of mf-pricing 1.1.0 does not match its published hash. Publish mf-pricing 1.1.0 again, which restores it.',
    ),
  );
  assert.equal(await pageOf(site), before);
});

test('slots: a script in a comment of a fragment does not get into the policy', async () => {
  const fragment = '<p>a</p><!--<script>alert(1)</script><style>*{}</style>-->';
  await using site = await createSite(rendered('mf-pricing', '1.1.0', { 'fragments/first.html': fragment }));
  await site.deploy({ 'mf-pricing': '1.1.0' });
  const headers = await pageOf(site, '.headers.json');
  const html = await pageOf(site);
  assert.match(html, /<!--<script>alert/);
  for (const text of ['alert(1)', '*{}']) {
    const hash = createHash('sha256').update(text).digest('base64');
    assert(!html.includes(hash) && !headers.includes(hash), text);
  }
});

test('slots: what a part brings is not taken for a marker of the page', async () => {
  const fragment = `<p>compose:scripts &lt;!--compose:head--&gt; $&amp; $1</p>`;
  await using site = await createSite(rendered('mf-pricing', '1.1.0', { 'fragments/first.html': fragment }));
  await site.deploy({ 'mf-pricing': '1.1.0' });
  const [, first] = slotsIn(await documentOf(site));
  assert.equal(first?.[3], 'compose:scripts <!--compose:head--> $& $1');
});

test('slots: styles that would end their element are refused, even if stored by older programs', () => {
  const styles = '.a::after { content: "</STYLE><script>" }';
  assert.throws(() => pageStyles(styles, '/mf-pricing/1.1.0/'), /contains "<\/style"/);
});

test('settings: links of the operator and the consent are in the markup, or are not', async () => {
  const form = `<form novalidate=""><p class="c" data-consent=""><input type="hidden" name="consentText" value="consent.invalid">consent.invalid <a href="https://privacy.invalid/">Privacy Policy</a></p></form>`;
  const other = '<form novalidate=""><input type="hidden" name="plan"><p>Free</p></form>';
  const fragment = `${other}${form}<a href="https://terms.invalid/">Terms</a>`;
  const part = rendered('mf-pricing', '1.0.0', { 'fragments/first.html': fragment });
  await using site = await createSiteOf(shellWithSlots(), part);
  const shown = async (settings: Partial<SiteConfig>) => {
    await site.deploy({ 'mf-pricing': '1.0.0' }, { ...sampleSiteConfig, ...settings });
    return (await documentOf(site)).querySelector('[data-exposed="./first"][data-remote="mf-pricing"]')
      ?.innerHTML;
  };
  const unavailable = '<a role="link" aria-disabled="true">Terms</a>';
  assert.equal(await shown({}), `${other}<form novalidate=""></form>${unavailable}`);
  const consentText = '"Yes" & no $&';
  const consented = { consentText, privacyUrl: 'https://www.example/privacy', consent: 'required' } as const;
  const text = '"Yes" &amp; no $&amp;';
  assert.equal(
    await shown({ ...consented, termsUrl: 'https://www.example/terms' }),
    `${other}<form><p class="c" data-consent=""><input type="checkbox" required="" name="consentText" value="${text.replaceAll('"', '&quot;')}">${text} <a href="https://www.example/privacy">Privacy Policy</a></p></form><a href="https://www.example/terms">Terms</a>`,
  );
});
