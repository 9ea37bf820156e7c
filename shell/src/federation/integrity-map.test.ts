import { noIntegrity, type FileIntegrity } from '@countersign/contracts/file-integrity';
import type { Asset, ReleaseDocument, RemoteVersion } from '@countersign/contracts/release-document';
import { sampleRelease, sampleVersion } from '../testing/sample-release.ts';
import { integrityMap, provideFileIntegrity } from './integrity-map.ts';

const asset = (url: string): Asset => ({ url, integrity: `integrity of ${url}` });

function remoteVersion(version: string): RemoteVersion {
  const file = (name: string) => asset(`/mf-pricing/${version}/${name}`);
  return {
    ...sampleVersion(version),
    entry: file('entry.js'),
    exposes: { './pricing': { scripts: [file('exposed.js')], styles: [file('exposed.css')] } },
    later: { scripts: [file('lazy.js')], styles: [file('lazy.css')] },
  };
}

const release: ReleaseDocument = {
  ...sampleRelease({
    'mf-pricing': {
      live: remoteVersion('1.2.0'),
      previous: remoteVersion('1.1.0'),
      canary: { version: remoteVersion('1.3.0'), percent: 10 },
    },
  }),
  shell: { version: '1.0.0', scripts: [asset('/shell/1.0.0/shell.js')], styles: [] },
};

// Once, because it cannot be replaced.
provideFileIntegrity(integrityMap(release));

test('integrity map: contains all files of all versions, lazy chunks included', () => {
  const files = integrityMap(release);
  for (const version of ['1.1.0', '1.2.0', '1.3.0']) {
    for (const file of ['entry.js', 'exposed.js', 'exposed.css', 'lazy.js', 'lazy.css']) {
      const path = `/mf-pricing/${version}/${file}`;
      expect(files.get(`${location.origin}${path}`)).toBe(`integrity of ${path}`);
    }
  }
  expect(files.size).toBe(3 * 5 + release.shell.scripts.length);
});

test('integrity map: an unknown file gets a hash that no file has', () => {
  const integrityOf = Reflect.get(globalThis, '_FILE_INTEGRITY') as FileIntegrity;
  expect(integrityOf('/shell/1.0.0/shell.js')).toBe('integrity of /shell/1.0.0/shell.js');
  expect(integrityOf(`${location.origin}/mf-pricing/1.2.0/lazy.js`)).toMatch(/^integrity of/);
  expect(integrityOf('/mf-pricing/1.2.0/other.js')).toBe(noIntegrity);
  expect(integrityOf('https://elsewhere.example/shell/1.0.0/shell.js')).toBe(noIntegrity);
});

test('integrity map: no script can remove or replace the function that loaders call', () => {
  const integrityOf: unknown = Reflect.get(globalThis, '_FILE_INTEGRITY');
  expect(Reflect.deleteProperty(globalThis, '_FILE_INTEGRITY')).toBe(false);
  expect(Reflect.set(globalThis, '_FILE_INTEGRITY', () => '')).toBe(false);
  expect(Reflect.defineProperty(globalThis, '_FILE_INTEGRITY', { value: undefined })).toBe(false);
  expect(Reflect.get(globalThis, '_FILE_INTEGRITY')).toBe(integrityOf);
});
