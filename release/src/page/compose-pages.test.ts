import { releaseDocumentElementId, siteConfigElementId } from '@countersign/contracts/data-blocks';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import {
  documentMarkers,
  documentTemplateFile,
  siteOriginPlaceholder,
} from '@countersign/contracts/part-manifest';
import { preloadChoice } from '@countersign/contracts/preload-choice';
import { releaseDocument } from '@countersign/contracts/release-document';
import { siteConfig } from '@countersign/contracts/site-config';
import { JSDOM } from 'jsdom';
import { ReleaseFault } from '../release-fault.ts';
import { builtRemote, builtShell, manifestFile } from '../testing/built-part.ts';
import { createTemporaryStore, sampleSite, type TemporaryStore } from '../testing/temporary-store.ts';

/** A store with a shell and two remotes live, the second in its second version. */
async function createLiveSite(): Promise<TemporaryStore> {
  const site = await createTemporaryStore();
  await site.publish(
    builtShell('1.0.0'),
    builtRemote('mf-header', '1.0.0'),
    builtRemote('mf-pricing', '1.0.0'),
    builtRemote('mf-pricing', '1.1.0'),
  );
  await site.flip({ shell: '1.0.0', 'mf-header': '1.0.0', 'mf-pricing': '1.0.0' });
  await site.flip({ 'mf-pricing': '1.1.0' });
  return site;
}

function page({ objects }: TemporaryStore, name = 'index.html'): Promise<string> {
  return readFile(join(objects.rootDirectory, name), 'utf8');
}

/** The value of a data block, cut out the way a browser does it: up to the first end tag. */
function dataBlock(html: string, id: string): unknown {
  const [, json] = html.split(`<script type="application/json" id="${id}">`);
  assert(json !== undefined, `no data block "${id}"`);
  return JSON.parse(json.slice(0, json.search(/<\/script/i)));
}

test('the page carries the release document and the configuration, as the contracts describe them', async () => {
  await using site = await createLiveSite();
  const html = await page(site);
  assert.deepEqual(
    releaseDocument.parse(dataBlock(html, releaseDocumentElementId)),
    (await site.store.readLive())?.release,
  );
  assert.deepEqual(siteConfig.parse(dataBlock(html, siteConfigElementId)), sampleSite);
});

test('a changed configuration shows after the next flip, whatever else stays as it was', async () => {
  await using site = await createLiveSite();
  const changed = {
    appHost: 'https://app.elsewhere.example',
    siteOrigin: 'https://www.example.com',
    defaultTheme: 'system',
  } as const;
  await site.flip({}, changed);
  for (const name of ['index.html', '404.html']) {
    assert.deepEqual(dataBlock(await page(site, name), siteConfigElementId), changed);
  }
});

test('no value can end the data block that it stands in', async () => {
  await using site = await createTemporaryStore();
  const globalName = '</script><script>alert(1)</script><!--';
  const chunk = { scripts: ['entry.js'], styles: [] };
  await site.publish(
    builtShell('1.0.0'),
    builtRemote('mf-pricing', '1.0.0', {
      ...manifestFile({
        name: 'mf-pricing',
        version: '1.0.0',
        globalName,
        entry: chunk,
        exposes: { [documentMarkers.scripts]: chunk },
      }),
    }),
  );
  await site.flip({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  const html = await page(site);
  const { remotes } = releaseDocument.parse(dataBlock(html, releaseDocumentElementId));
  assert.equal(remotes['mf-pricing']?.live.globalName, globalName);
  assert.deepEqual(Object.keys(remotes['mf-pricing'].live.exposes), [documentMarkers.scripts]);
  assert.doesNotMatch(html, /<script>|<!--/);
});

test('the script of the shell is loaded once, with the hash of its file', async () => {
  await using site = await createLiveSite();
  const bytes = await site.store.readFile('shell', '1.0.0', 'shell.js');
  const integrity = `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
  for (const name of ['index.html', '404.html']) {
    assert.deepEqual((await page(site, name)).match(/<script src[^]*?<\/script>/g), [
      `<script src="/shell/1.0.0/shell.js" integrity="${integrity}" crossorigin="anonymous" defer></script>`,
    ]);
  }
});

test('the styles of the shell stand in the page, without the address of their map', async () => {
  await using site = await createLiveSite();
  const html = await page(site);
  assert.match(html, /<style>body \{ margin: 0 \}\s*<\/style>/);
  assert.doesNotMatch(html, /sourceMappingURL/);
});

test('the browser is told early of every script that every live remote needs at once, and of no other version', async () => {
  await using site = await createLiveSite();
  const links = (await page(site)).match(/<link rel="preload"[^>]*>/g) ?? [];
  const addresses = links.map((link) => /href="([^"]*)"/.exec(link)?.[1]);
  assert.deepEqual(addresses.toSorted(), [
    ...['mf-header/1.0.0', 'mf-pricing/1.1.0'].flatMap((folder) =>
      ['entry.js', 'exposed.js'].map((file) => `/${folder}/${file}`),
    ),
    '/shell/1.0.0/shell.js',
  ]);
});

test('of a remote with a canary either version can be chosen by the page, and none loads ahead by itself', async () => {
  await using site = await createLiveSite();
  await site.publish(builtRemote('mf-pricing', '1.2.0'));
  await site.change({ action: 'canary', part: 'mf-pricing', version: '1.2.0', percent: 12.5 });
  const { document } = new JSDOM(await page(site)).window;
  const linksIn = (root: ParentNode) =>
    [...root.querySelectorAll<HTMLLinkElement>('link[rel=preload]')].map((link) => link.getAttribute('href'));
  const filesOf = (folder: string) => ['entry.js', 'exposed.js'].map((file) => `/${folder}/${file}`);
  assert.deepEqual(linksIn(document), ['/shell/1.0.0/shell.js', ...filesOf('mf-header/1.0.0')]);
  const templates = [...document.head.querySelectorAll('template')];
  const attributes = [preloadChoice.remote, preloadChoice.percent, preloadChoice.group];
  assert.deepEqual(
    templates.map((template) => attributes.map((name) => template.getAttribute(name))),
    [
      ['mf-pricing', '12.5', 'stable'],
      ['mf-pricing', '12.5', 'canary'],
    ],
  );
  assert.deepEqual(
    templates.map(({ content }) => linksIn(content)),
    [filesOf('mf-pricing/1.1.0'), filesOf('mf-pricing/1.2.0')],
  );
  for (const name of ['404.html', 'preview.html']) assert.doesNotMatch(await page(site, name), /<template/);
});

test('a preload says what the file is for, and the hash that its use asks for', async () => {
  await using site = await createLiveSite();
  const html = await page(site);
  const live = (await site.store.readLive())?.release.remotes['mf-pricing']?.live;
  const exposed = live?.exposes['./first'];
  for (const file of [live?.entry, exposed?.scripts[0]]) {
    assert(file);
    const link = `<link rel="preload" as="script" href="${file.url}" integrity="${file.integrity}" crossorigin="anonymous">`;
    assert(html.includes(link), link);
  }
});

test('a file at the root of the site goes when the shell no longer has it', async () => {
  await using site = await createTemporaryStore();
  await site.publish(
    builtShell('1.0.0', { 'public/robots.txt': 'User-agent: *', 'public/old.txt': 'old' }),
    builtShell('1.1.0', { 'public/robots.txt': 'User-agent: *' }),
  );
  await site.flip({ shell: '1.0.0' });
  assert.equal(await page(site, 'old.txt'), 'old');
  await site.flip({ shell: '1.1.0' });
  await assert.rejects(page(site, 'old.txt'), /ENOENT/);
  await assert.rejects(page(site, 'old.txt.br'), /ENOENT/);
  assert.equal(await page(site, 'robots.txt'), 'User-agent: *');
});

test('the 404 page is the same page, but loads no remote ahead', async () => {
  await using site = await createLiveSite();
  const html = await page(site, '404.html');
  assert.doesNotMatch(html, /preload[^>]*\/mf-/);
  assert.equal(html, (await page(site)).replace(/\n<link rel="preload"[^>]*\/mf-[^>]*>/g, ''));
});

test('the fonts of the shell’s styles load ahead on both pages, from addresses that hold on any path', async () => {
  await using site = await createTemporaryStore();
  const face = (source: string) => `@font-face { src: ${source} format("woff2") }`;
  const styles = [
    face('url(latin.woff2)'),
    face('url("fonts/latin-ext.woff2")'),
    '.dot { background: url(data:image/png;base64,AAAA) }',
  ];
  await site.publish(builtShell('1.0.0', { 'shell.css': styles.join('\n') }));
  await site.flip({ shell: '1.0.0' });
  for (const name of ['index.html', '404.html']) {
    const html = await page(site, name);
    for (const url of ['/shell/1.0.0/latin.woff2', '/shell/1.0.0/fonts/latin-ext.woff2']) {
      assert(html.includes(face(`url(${url})`)), url);
      assert(html.includes(`<link rel="preload" as="font" type="font/woff2" href="${url}" crossorigin`), url);
    }
    assert(html.includes('url(data:image/png;base64,AAAA)'));
  }
});

test('the page and the public text files name the origin of the site; other public files stay as they are', async () => {
  await using site = await createTemporaryStore();
  const picture = Uint8Array.of(0x89, 0xff, 0x00, 0xfe);
  const template = `<link rel="canonical" href="${siteOriginPlaceholder}/">`;
  await site.publish(
    builtShell('1.0.0', {
      [documentTemplateFile]: template + Object.values(documentMarkers).join(''),
      'public/robots.txt': `Sitemap: ${siteOriginPlaceholder}/sitemap.xml`,
      'public/preview.png': picture,
    }),
  );
  await site.flip({ shell: '1.0.0' });
  assert((await page(site)).startsWith(`<link rel="canonical" href="${sampleSite.siteOrigin}/">`));
  assert.equal(await page(site, 'robots.txt'), `Sitemap: ${sampleSite.siteOrigin}/sitemap.xml`);
  assert.deepEqual(new Uint8Array(await readFile(join(site.objects.rootDirectory, 'preview.png'))), picture);
});

test('both pages have compressed copies of the same content', async () => {
  await using site = await createLiveSite();
  for (const name of ['index.html', '404.html']) {
    const path = join(site.objects.rootDirectory, name);
    const html = await page(site, name);
    assert.equal(brotliDecompressSync(await readFile(`${path}.br`)).toString(), html);
    assert.equal(gunzipSync(await readFile(`${path}.gz`)).toString(), html);
  }
});

for (const [place, marker] of Object.entries(documentMarkers)) {
  for (const [fault, template] of [
    ['missing', Object.values(documentMarkers).join('').replace(marker, '')],
    ['there twice', Object.values(documentMarkers).join('') + marker],
  ] as const) {
    test(`a template whose ${place} marker is ${fault} is refused, and the page stays`, async () => {
      await using site = await createLiveSite();
      const before = [await page(site), await site.store.readLive()];
      await site.publish(builtShell('2.0.0', { 'document.html': template, 'public/robots.txt': '' }));
      await assert.rejects(site.flip({ shell: '2.0.0' }), (error) => {
        assert(error instanceof ReleaseFault);
        assert.equal(error.message, `The shell's document.html must hold ${marker} exactly once.`);
        return true;
      });
      assert.deepEqual([await page(site), await site.store.readLive()], before);
      await assert.rejects(page(site, 'robots.txt'), { code: 'ENOENT' });
    });
  }
}
