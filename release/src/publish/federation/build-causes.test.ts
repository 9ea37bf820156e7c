import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtFiles, refusalOf } from '../../testing/federation-build.ts';

const entry = builtFiles()['dist/entry.js'] ?? '';
const noFiles = { js: { sync: [], async: [] }, css: { sync: [], async: [] } };
const ownReact = { js: { sync: ['lazier.js'], async: [] }, css: { sync: [], async: [] } };

for (const [what, files, problem, setting] of [
  [
    'another name',
    builtFiles({}, {}, { name: 'mf_pricing', globalName: 'mf_pricing' }),
    /^1\. The build is named "mf_pricing"/m,
    `name: 'mf-pricing@1.4.0'`,
  ],
  [
    'the version of no release',
    builtFiles({}, {}, { name: 'mf-pricing@next', globalName: 'mf-pricing@next' }),
    /^1\. The build is named "mf-pricing@next"/m,
    `name: 'mf-pricing@1.4.0'`,
  ],
  [
    'an ES module',
    builtFiles({}, {}, { remoteEntry: { name: 'entry.js', path: '', type: 'module' } }),
    /^1\. The container is an ES module\. /m,
    `type: 'global'`,
  ],
  [
    'another global variable',
    builtFiles({}, {}, { globalName: 'pricing' }),
    /the global variable "pricing"/,
    `type: 'global'`,
  ],
  [
    'a public path',
    builtFiles({}, {}, { publicPath: '/' }),
    /^1\. The public path is "\/"/m,
    `assetPrefix: 'auto'`,
  ],
  [
    'a computed public path',
    builtFiles({}, {}, { publicPath: undefined }),
    /^1\. The public path is computed/m,
    `assetPrefix: 'auto'`,
  ],
  ['no shared React', builtFiles({}, { shared: [] }), /^1\. .*copy of react from the page/m, 'import: false'],
  [
    'its own React',
    builtFiles(
      {},
      { shared: [{ name: 'react', requiredVersion: '^19.3.0', singleton: true, assets: ownReact }] },
    ),
    /^1\. .*copy of react from the page/m,
    'import: false',
  ],
  [
    'two instances of React',
    builtFiles({}, { shared: [{ name: 'react', requiredVersion: '^19.3.0', assets: noFiles }] }),
    /^1\. .*copy of react from the page/m,
    'singleton: true',
  ],
  [
    'React bundled',
    builtFiles({ 'lazier.js': 'exports.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE={}' }),
    /^1\. .*copy of react from the page/m,
    'import: false',
  ],
  ['remotes', builtFiles({}, { remotes: [{}] }), /^1\. The build loads remotes of its own/m, 'remotes'],
  [
    'no hashes',
    { ...builtFiles(), 'dist/entry.js': entry.replaceAll('sha256', 'sha384') },
    /^1\. The loader states no SHA-256 hash of exposed\.js, lazy\.js, exposed\.css and 1 more/m,
    `algorithm: 'sha256'`,
  ],
  [
    'another policy',
    { ...builtFiles(), 'dist/entry.js': entry.replace('Policy("', 'Policy("my-') },
    /^1\. The loader has the Trusted Types policy "my-mf-pricing@1\.4\.0"/m,
    'policyName',
  ],
  [
    'no policy',
    { ...builtFiles(), 'dist/entry.js': entry.replace('createPolicy', '') },
    /^1\. The loader has no Trusted Types policy/m,
    'policyName',
  ],
  [
    'no crossOrigin',
    { ...builtFiles(), 'dist/entry.js': entry.replace('crossOrigin', '') },
    /^1\. The loader requests its chunks with other attributes/m,
    'crossOriginLoading',
  ],
  [
    'a registry without the version',
    builtFiles({ 'lazy.js': '(self["chunk_pricing"]=[]).push()' }),
    /^1\. .*the global variable "chunk_pricing"/m,
    'uniqueName',
  ],
  [
    'global styles',
    builtFiles({ 'lazy.css': 'h2 { color: red } .pricing { color: red }' }),
    /^1\. The styles have "h2" in lazy\.css and "\.pricing" in lazy\.css/m,
    'localIdentName',
  ],
  [
    'invalid styles',
    builtFiles({ 'lazy.css': '._aaaaaa{color:red' }),
    /^1\. The styles have "text that is no CSS" in lazy\.css/m,
    'localIdentName',
  ],
  [
    'a selector that is none',
    builtFiles({ 'lazy.css': '.a/b{color:red}' }),
    /^1\. The styles have "\.a\/b" in lazy\.css/m,
    'localIdentName',
  ],
  [
    'evaluated modules',
    builtFiles({ 'lazy.js': String.raw`eval("let a;\n//# sourceURL=webpack://a")` }),
    /^1\. .*evaluated from text, as in lazy\.js\.$/m,
    `mode: 'production'`,
  ],
] as const) {
  test(`mf-manifest: a build with ${what} is refused, with the setting to change`, async () => {
    const message = await refusalOf(files);
    assert.match(
      message,
      /^dist cannot be published as mf-pricing: 1 cause\. Change the setting of each, and build again\.$/m,
    );
    assert.match(message, problem);
    for (const bundler of ['Rsbuild', 'webpack']) {
      assert.match(message, new RegExp(`^ {3}${bundler}: `, 'm'));
    }
    assert(message.includes(setting), message);
  });
}

test('mf-manifest: a build without a version of its own is told a valid name', async () => {
  const unnamed = { name: 'mf_pricing', globalName: 'mf_pricing', buildInfo: { buildVersion: 'local' } };
  assert.match(await refusalOf(builtFiles({}, {}, unnamed)), /name: 'mf-pricing@1\.0\.0'/);
});
