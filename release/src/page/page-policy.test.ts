import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { documentMarkers, documentTemplateFile } from '@countersign/contracts/part-manifest';
import { canaryScriptAttribute } from '@countersign/contracts/page-markup';
import { builtRemote, builtShell } from '../testing/built-part.ts';
import {
  createSiteOf,
  createTemporaryStore,
  pageOf,
  type TemporaryStore,
} from '../testing/temporary-store.ts';
import { storedPageHeaders } from '../store/page-files.ts';

const inlineScript = 'document.title = "Ready"';
const template = [
  documentMarkers.policy,
  '<style>p { margin: 0 }</style>',
  documentMarkers.head,
  `<script>${inlineScript}</script>`,
  documentMarkers.scripts,
].join('\n');

/** A site with a remote with a lazy chunk, in a live, a previous and a canary version. */
async function createSite(): Promise<TemporaryStore> {
  const site = await createTemporaryStore();
  await site.publish(
    builtShell('1.0.0', { [documentTemplateFile]: template }),
    ...['1.0.0', '1.1.0', '1.2.0', '1.3.0'].map((version) =>
      builtRemote('mf-pricing', version, {
        'lazy.js': `/* late ${version} */`,
        'lazy.css': `.late { color: blue } /* ${version} */`,
      }),
    ),
  );
  for (const version of ['1.0.0', '1.1.0']) await site.deploy({ shell: '1.0.0', 'mf-pricing': version });
  await site.change({ kind: 'canary', versions: { 'mf-pricing': '1.2.0' }, percent: 10 });
  return site;
}

function directivesOf(policy: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
}

async function inPage(site: TemporaryStore, name?: string) {
  const html = await pageOf(site, name);
  const [, policy = ''] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html) ?? [];
  return { html, policy: directivesOf(policy) };
}

const inHeader = async (site: TemporaryStore) =>
  storedPageHeaders.parse(JSON.parse(await pageOf(site, '.headers.json')))['index.html'] ?? {};

/** The site of the tests that change nothing. */
const site = await createSite();
after(() => site[Symbol.asyncDispose]());

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('page policy: allows only scripts with a listed hash, inline and of all servable versions', async () => {
  const { policy } = await inPage(site);
  const expected = ['1.0.0', '1.1.0', '1.2.0'].flatMap((version) => [
    `/* entry of mf-pricing ${version} */`,
    `/* modules of mf-pricing ${version} */`,
    `/* late ${version} */`,
  ]);
  assert.deepEqual(
    policy.get('script-src')?.toSorted(),
    [sha256(inlineScript), ...['/* shell 1.0.0 */', ...expected].map(sha256)].toSorted(),
  );
});

test('page policy: neither the page nor the header has an unsafe source', async () => {
  const { policy } = await inPage(site);
  const headers = await inHeader(site);
  const header = directivesOf(headers['Content-Security-Policy'] ?? '');
  for (const each of [policy, header]) {
    assert.doesNotMatch([...each.values()].flat().join(' '), /unsafe|\*|https?:|strict-dynamic/);
    assert.deepEqual(each.get('default-src'), ["'none'"]);
    assert.deepEqual(each.get('base-uri'), ["'none'"]);
    assert.deepEqual(each.get('object-src'), ["'none'"]);
    assert.deepEqual(each.get('require-trusted-types-for'), ["'script'"]);
  }
  assert.deepEqual(header.get('frame-ancestors'), ["'none'"]);
});

test('page policy: every inline style is allowed by its hash', async () => {
  const { policy, html } = await inPage(site);
  const styles = [...html.matchAll(/<style>([^]*?)<\/style>/g)].map(([, text = '']) => sha256(text));
  assert.equal(styles.length, 2);
  assert.deepEqual(policy.get('style-src'), ["'self'", ...styles]);
});

test('page policy: Trusted Types policies exist only for versions that the page refers to', async () => {
  const { policy } = await inPage(site);
  assert.deepEqual(policy.get('trusted-types'), [
    'entries',
    'shell@1.0.0',
    'mf-pricing@1.1.0',
    'mf-pricing@1.0.0',
    'mf-pricing@1.2.0',
  ]);
});

test('page policy: the header does not change when only remotes are deployed', async () => {
  await using site = await createSite();
  const before = await inHeader(site);
  await site.deploy({ 'mf-pricing': '1.3.0' });
  assert.deepEqual(await inHeader(site), before);
  const header = directivesOf(before['Content-Security-Policy'] ?? '');
  assert.deepEqual(header.get('script-src'), ["'self'", sha256(inlineScript)]);
});

test('page policy: a name that could end the directive is left out', async () => {
  await using site = await createSiteOf(
    builtShell('1.0.0'),
    builtRemote('mf-pricing', '1.0.0', {}, { globalName: `x; script-src *` }),
  );
  assert.deepEqual((await inPage(site)).policy.get('trusted-types'), ['entries', 'shell@1.0.0']);
});

test('page policy: the preview also allows this site and localhost, and nothing else', async () => {
  const { policy } = await inPage(site, 'preview.html');
  const own = ['http://localhost:*', 'http://127.0.0.1:*'];
  assert.deepEqual(policy.get('script-src'), ["'self'", ...own, sha256(inlineScript)]);
  assert.deepEqual(policy.get('style-src')?.slice(0, 3), ["'self'", ...own]);
  assert.deepEqual(policy.get('require-trusted-types-for'), ["'script'"]);
  assert.deepEqual(policy.get('default-src'), ["'none'"]);
  assert.doesNotMatch([...policy.values()].join(' '), /unsafe|strict-dynamic/);
});

test('page policy: a script that chooses canaries is only in pages with a canary', async () => {
  const script = 'document.title = "Canary"';
  const withScript = `${template}<script ${canaryScriptAttribute}>${script}</script>`;
  await using site = await createSiteOf(
    builtShell('1.0.0', { [documentTemplateFile]: withScript }),
    builtRemote('mf-pricing', '1.0.0'),
  );
  await site.publish(builtRemote('mf-pricing', '1.1.0'));
  const isAllowed = async () => {
    const { html, policy } = await inPage(site);
    return [html.includes(script), policy.get('script-src')?.includes(sha256(script))];
  };
  assert.deepEqual(await isAllowed(), [false, false]);
  await site.change({ kind: 'canary', versions: { 'mf-pricing': '1.1.0' }, percent: 10 });
  assert.deepEqual(await isAllowed(), [true, true]);
});
