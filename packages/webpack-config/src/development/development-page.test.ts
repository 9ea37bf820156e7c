import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReleaseDocument, RemoteVersion } from '@countersign/contracts/release-document';
import { developmentPage, releaseIn } from './development-page.ts';

const integrity = `sha256-${'a'.repeat(43)}=`;
const asset = (url: string) => ({ url, integrity });

function remoteVersion(version: string): RemoteVersion {
  return {
    version,
    globalName: `mf-pricing@${version}`,
    entry: asset(`/mf-pricing/${version}/entry.js`),
    exposes: { './pricing': { scripts: [asset(`/mf-pricing/${version}/exposed.js`)], styles: [] } },
  };
}

const release: ReleaseDocument = {
  schemaVersion: 1,
  releaseId: 'r-0123456789ab',
  shell: { version: '1.0.0', scripts: [asset('/shell/1.0.0/shell.1a.js')], styles: [] },
  remotes: {
    'mf-pricing': {
      live: remoteVersion('1.0.0'),
      canary: { version: remoteVersion('1.1.0'), percent: 50 },
    },
    'mf-header': { live: { ...remoteVersion('1.0.0'), globalName: 'mf-header@1.0.0' } },
  },
};
const html = `<html><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<link rel="preload" as="script" href="/shell/1.0.0/shell.1a.js" integrity="${integrity}" crossorigin="anonymous">
<script type="application/json" id="release-document">${JSON.stringify(release)}</script></head>
<body><div id="root"></div>
<script src="/shell/1.0.0/shell.1a.js" integrity="${integrity}" crossorigin="anonymous" defer></script></body></html>`;
const script = '/shell/1.0.0/development/shell.js';
const local = { name: 'mf-pricing', version: remoteVersion('0.0.0-development') } as const;

test('development page: the part comes from this machine for every visitor, the others stay', () => {
  const { remotes } = releaseIn(developmentPage(html, [local], script));
  assert.deepEqual(remotes['mf-pricing'], { live: local.version });
  assert.deepEqual(remotes['mf-header'], release.remotes['mf-header']);
});

test('development page: the shell’s development build replaces its script and preload link', () => {
  const page = developmentPage(html, [local], script);
  assert.deepEqual(page.match(/<script src[^>]*>/g), [
    '<script src="/shell/1.0.0/development/shell.js" defer>',
  ]);
  assert.doesNotMatch(page, /rel="preload"/);
});

test('development page: a version cannot break out of the data block', () => {
  const globalName = `$1</script><script>alert()</script>`;
  const page = developmentPage(html, [{ ...local, version: { ...local.version, globalName } }], script);
  assert.equal(releaseIn(page).remotes['mf-pricing']?.live.globalName, globalName);
  assert.doesNotMatch(page, /<script>alert/);
});

test('development page: a page without a release document is an error', () => {
  assert.throws(() => developmentPage('<html></html>', [local], script), /no release document/);
});

test('development page: a release document of another schema is an error with a remedy', () => {
  const newer = html.replace('"schemaVersion":1', '"schemaVersion":99');
  assert.throws(() => releaseIn(newer), /cannot read. Update them/);
  assert.throws(() => releaseIn(html.replace('{"schemaVersion"', '{')), /cannot read. Update them/);
});
