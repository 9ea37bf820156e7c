import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateSnapshotFromManifest, getResourceUrl, type Manifest } from '@module-federation/sdk';
import { federationManifest } from './federation-manifest.ts';
import type { PartManifest } from './part-manifest.ts';

const part: PartManifest = {
  name: 'mf-pricing',
  version: '1.4.0',
  globalName: 'mf-pricing@1.4.0',
  entry: { scripts: ['entry.js'], styles: [] },
  exposes: { './pricing': { scripts: ['entry.js'], styles: ['exposed.css'] } },
  shared: { react: { range: '^19.3.0' } },
};

/** What a host derives from a manifest that it has loaded from a URL. */
function readAsHost(manifest: Manifest, url: string) {
  const snapshot = generateSnapshotFromManifest(manifest, { version: url });
  assert('remoteEntry' in snapshot && 'modules' in snapshot);
  return {
    globalName: snapshot.globalName,
    entryType: snapshot.remoteEntryType,
    entry: getResourceUrl(snapshot, snapshot.remoteEntry),
    modules: snapshot.modules.map(({ moduleName, modulePath }) => [moduleName, modulePath]),
    styles: snapshot.modules.flatMap(({ assets }) =>
      assets.css.sync.map((style) => getResourceUrl(snapshot, style)),
    ),
  };
}

for (const [where, folder, url] of [
  ['beside the files', '', 'https://site.example/mf-pricing/1.4.0/mf-manifest.json'],
  ['of the live version', 'mf-pricing/1.4.0/', 'https://site.example/mf-pricing.json'],
] as const) {
  test(`federation manifest: hosts find all files through the manifest ${where}`, () => {
    assert.deepEqual(readAsHost(federationManifest(part, folder), url), {
      globalName: 'mf-pricing@1.4.0',
      entryType: 'global',
      entry: 'https://site.example/mf-pricing/1.4.0/entry.js',
      modules: [['pricing', './pricing']],
      styles: ['https://site.example/mf-pricing/1.4.0/exposed.css'],
    });
  });
}

test('federation manifest: tools see the shared modules with their ranges', () => {
  const [react, ...others] = federationManifest(part).shared;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [react?.name, react?.requiredVersion, react?.version, react?.singleton],
    ['react', '^19.3.0', '', true],
  );
});
