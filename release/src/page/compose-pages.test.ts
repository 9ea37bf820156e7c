import {
  releaseDocumentElementId,
  scriptCopiesElementId,
  siteConfigElementId,
  preloadChoice,
} from '@countersign/contracts/page-markup';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import {
  documentMarkers,
  documentTemplateFile,
  siteOriginPlaceholder,
} from '@countersign/contracts/part-manifest';
import { releaseDocument } from '@countersign/contracts/release-document';
import { siteConfig } from '@countersign/contracts/site-config';
import { JSDOM } from 'jsdom';
import { ReleaseError } from '../platform/release-error.ts';
import { builtRemote, builtShell, exposedChunk } from '../testing/built-part.ts';
import { createLiveSite, createSiteOf, pageOf, sampleSiteConfig } from '../testing/temporary-store.ts';

/** A store with a live shell and two live remotes, the second with a previous version. */
const createSite = () =>
  createLiveSite({ shell: '1.0.0', 'mf-header': '1.0.0', 'mf-pricing': '1.0.0' }, { 'mf-pricing': '1.1.0' });

/** The value of a data block, up to the first end tag, as a browser parses it. */
function dataBlock(html: string, id: string): unknown {
  const [, json] = html.split(`<script type="application/json" id="${id}">`);
  assert(json !== undefined, `no data block "${id}"`);
  return JSON.parse(json.slice(0, json.search(/<\/script/i)));
}

test('compose: the page contains the release document, the configuration and the shell’s styles', async () => {
  await using site = await createSite();
  const html = await pageOf(site);
  assert.deepEqual(
    releaseDocument.parse(dataBlock(html, releaseDocumentElementId)),
    (await site.store.liveStore.read())?.release,
  );
  assert.deepEqual(siteConfig.parse(dataBlock(html, siteConfigElementId)), sampleSiteConfig);
  assert.match(html, /<style>body \{ margin: 0 \}\s*<\/style>/);
  assert.doesNotMatch(html, /sourceMappingURL/);
});

test('compose: only the preview page loads the styles that outline slots', async () => {
  await using site = await createSiteOf(builtShell('1.0.0', { 'preview.css': '.slot { color: red }' }));
  // With a hash, because the page's policy demands one.
  const stylesheet = /<link rel="stylesheet" href="\/shell\/1\.0\.0\/preview\.css" integrity="sha256-/;
  assert.match(await pageOf(site, 'preview.html'), stylesheet);
  for (const name of ['index.html', '404.html'])
    assert.doesNotMatch(await pageOf(site, name), /preview\.css/);
});

test('compose: no value can end its data block', async () => {
  const globalName = '</script><script>alert(1)</script><!--';
  const exposes = { [documentMarkers.scripts]: exposedChunk };
  await using site = await createSiteOf(
    builtShell('1.0.0'),
    builtRemote('mf-pricing', '1.0.0', {}, { globalName, exposes }),
  );
  const html = await pageOf(site);
  const { remotes } = releaseDocument.parse(dataBlock(html, releaseDocumentElementId));
  assert.equal(remotes['mf-pricing']?.live.globalName, globalName);
  assert.deepEqual(Object.keys(remotes['mf-pricing'].live.exposes), [documentMarkers.scripts]);
  assert.doesNotMatch(html, /<script>|<!--/);
});

test('compose: the shell’s script is loaded once, with its hash, and has an inert copy', async () => {
  await using site = await createSite();
  const bytes = await site.store.readFile('shell', '1.0.0', 'shell.js');
  const integrity = `sha256-${createHash('sha256').update(bytes).digest('base64')}`;
  for (const name of ['index.html', '404.html']) {
    const { document } = new JSDOM(await pageOf(site, name)).window;
    const copies = document.querySelector<HTMLTemplateElement>(`#${scriptCopiesElementId}`);
    for (const root of [document, copies?.content]) {
      assert.deepEqual(
        [...(root?.querySelectorAll('script[src]') ?? [])].map((script) => script.outerHTML),
        [
          `<script src="/shell/1.0.0/shell.js" integrity="${integrity}" crossorigin="anonymous" defer=""></script>`,
        ],
      );
    }
  }
});

test('preload: the initial scripts of all live remotes, and of no other version', async () => {
  await using site = await createSite();
  const links: readonly string[] = (await pageOf(site)).match(/<link rel="preload"[^>]*>/g) ?? [];
  const addresses = links.map((link) => /href="([^"]*)"/.exec(link)?.[1]);
  assert.deepEqual(addresses.toSorted(), [
    ...['mf-header/1.0.0', 'mf-pricing/1.1.0'].flatMap((folder) =>
      ['entry.js', 'exposed.js'].map((file) => `/${folder}/${file}`),
    ),
    '/shell/1.0.0/shell.js',
  ]);
  const liveVersion = (await site.store.liveStore.read())?.release.remotes['mf-pricing']?.live;
  // As the later request, because browsers load the file twice otherwise.
  for (const file of [liveVersion?.entry, liveVersion?.exposes['./first']?.scripts[0]]) {
    assert(
      links.includes(
        `<link rel="preload" as="script" href="${file?.url}" integrity="${file?.integrity}" crossorigin="anonymous">`,
      ),
    );
  }
});

test('preload: both versions of a remote with a canary are in templates', async () => {
  await using site = await createSite();
  await site.publish(builtRemote('mf-pricing', '1.2.0'));
  await site.change({ kind: 'canary', versions: { 'mf-pricing': '1.2.0' }, percent: 12.5 });
  const { document } = new JSDOM(await pageOf(site)).window;
  const linksIn = (root: ParentNode) =>
    [...root.querySelectorAll<HTMLLinkElement>('link[rel=preload]')].map((link) => link.getAttribute('href'));
  const filesOf = (folder: string) => ['entry.js', 'exposed.js'].map((file) => `/${folder}/${file}`);
  assert.deepEqual(linksIn(document), ['/shell/1.0.0/shell.js', ...filesOf('mf-header/1.0.0')]);
  const templates = [...document.head.querySelectorAll('template')];
  const attributes = [
    preloadChoice.remote,
    preloadChoice.percent,
    preloadChoice.version,
    preloadChoice.group,
  ];
  assert.deepEqual(
    templates.map((template) => attributes.map((name) => template.getAttribute(name))),
    [
      ['mf-pricing', '12.5', '1.2.0', 'stable'],
      ['mf-pricing', '12.5', '1.2.0', 'canary'],
    ],
  );
  assert.deepEqual(
    templates.map(({ content }) => linksIn(content)),
    [filesOf('mf-pricing/1.1.0'), filesOf('mf-pricing/1.2.0')],
  );
  for (const name of ['404.html', 'preview.html'])
    assert.doesNotMatch(await pageOf(site, name), new RegExp(`<template ${preloadChoice.remote}`));
});

test('404 page: the same template, without preloads of remotes', async () => {
  await using site = await createSite();
  const html = await pageOf(site, '404.html');
  assert.equal(html, (await pageOf(site)).replace(/\n<link rel="preload"[^>]*\/mf-[^>]*>/g, ''));
});

test('preload: both pages preload the shell’s basic font, from an absolute URL', async () => {
  const font = { 'sans-basic.0123456789.woff2': 'glyphs' };
  const styles = [
    'sans.0123456789.woff2',
    ...Object.keys(font),
    '"fonts/greek.woff2"',
    'data:image/png;base64,AA',
  ]
    .map((url) => `@font-face { src: url(${url}) }`)
    .join('\n');
  const lazyChunk = { '12.0123456789.js': '' };
  await using site = await createSiteOf(builtShell('1.0.0', { ...font, ...lazyChunk, 'shell.css': styles }));
  // Without the version of the shell, so that the next one has the same address.
  assert.equal(await pageOf(site, 'sans-basic.0123456789.woff2'), 'glyphs');
  // A lazy chunk has a hash in its name, too, and is served with its version only.
  await assert.rejects(pageOf(site, '12.0123456789.js'));
  for (const name of ['index.html', '404.html']) {
    const html = await pageOf(site, name);
    const preloads = html.match(/<link rel="preload" as="font"[^>]*>/g);
    assert.deepEqual(preloads, [
      '<link rel="preload" as="font" type="font/woff2" href="/sans-basic.0123456789.woff2" crossorigin="anonymous">',
    ]);
    assert(html.includes('url(/shell/1.0.0/fonts/greek.woff2)'));
    assert(html.includes('url(data:image/png;base64,AA)'));
  }
});

test('site origin: inserted in the page and in public text files only', async () => {
  const picture = Uint8Array.of(0x89, 0xff, 0x00, 0xfe);
  const template = `<link rel="canonical" href="${siteOriginPlaceholder}/">`;
  await using site = await createSiteOf(
    builtShell('1.0.0', {
      [documentTemplateFile]: template + Object.values(documentMarkers).join(''),
      'public/robots.txt': `Sitemap: ${siteOriginPlaceholder}/sitemap.xml`,
      'public/preview.png': picture,
    }),
  );
  assert((await pageOf(site)).startsWith(`<link rel="canonical" href="${sampleSiteConfig.siteOrigin}/">`));
  assert.equal(await pageOf(site, 'robots.txt'), `Sitemap: ${sampleSiteConfig.siteOrigin}/sitemap.xml`);
  assert.deepEqual(new Uint8Array(await readFile(site.objects.pathOf('current/preview.png'))), picture);
});

for (const [place, marker] of Object.entries(documentMarkers)) {
  for (const [fault, template] of [
    ['missing', Object.values(documentMarkers).join('').replace(marker, '')],
    ['there twice', Object.values(documentMarkers).join('') + marker],
  ] as const) {
    test(`template: a ${place} marker that is ${fault} is refused, and the page stays`, async () => {
      await using site = await createSite();
      const before = [await pageOf(site), await site.store.liveStore.read()];
      await site.publish(builtShell('2.0.0', { 'document.html': template, 'public/robots.txt': '' }));
      await assert.rejects(
        site.deploy({ shell: '2.0.0' }),
        new ReleaseError(`The shell's document.html must hold ${marker} exactly once.`),
      );
      assert.deepEqual([await pageOf(site), await site.store.liveStore.read()], before);
      await assert.rejects(pageOf(site, 'robots.txt'), /No robots\.txt is served/);
    });
  }
}
