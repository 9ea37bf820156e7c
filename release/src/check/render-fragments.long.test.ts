import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFragment } from '@countersign/contracts/check-fragment';
import { ReleaseError } from '../platform/release-error.ts';
import { browserOfTests } from '../testing/config.ts';
import { createFragmentRenderer } from './render-fragments.ts';

/** Renders components of a container that no bundler wrote: key → body of a function component of `{ shell }`. */
function render(components: Readonly<Record<string, string>>, extra: Readonly<Record<string, string>> = {}) {
  const exposed = Object.entries(components).map(([key, body]) => `'./${key}': ({ shell }) => { ${body} }`);
  const entry = `{
    let React;
    const components = { ${exposed.join(', ')} };
    globalThis['mf-pricing@1.4.0'] = {
      init({ react }) { React = Object.values(react)[0].lib(); },
      get: async (key) => () => ({ default: components[key] }),
    };
  }`;
  return createFragmentRenderer(browserOfTests)({
    part: 'mf-pricing',
    version: '1.4.0',
    globalName: 'mf-pricing@1.4.0',
    entry: 'entry.js',
    exposedKeys: Object.keys(components).map((key) => `./${key}`),
    code: new Map(
      Object.entries({ 'entry.js': entry, ...extra }).map(([file, text]) => [
        file,
        new TextEncoder().encode(text),
      ]),
    ),
  });
}

test('fragments: components are rendered as a build renders them, with ids of their own', async () => {
  const fragments = await render({
    pricing: `console.error('A message of the part.');
      const id = React.useId();
      return React.createElement('p', { id }, 'Plans – ', 3, React.createElement('a', { href: shell.page.appHost + '/login' }, 'Sign In'));`,
    other: `return React.createElement(React.Suspense, null, React.createElement(React.lazy(async () => ({ default: () => 'Later' }))));`,
  });
  assert.deepEqual(fragments, {
    './pricing':
      '<p id="_mf-pricing-pricing-R_0_">Plans – <!-- -->3<a href="https://app-host.invalid/login">Sign In</a></p>',
    './other': '<!--$-->Later<!--/$-->',
  });
  assert.deepEqual(
    checkFragment(fragments['./pricing'] ?? '', { remote: 'mf-pricing', exposed: './pricing' }),
    [],
  );
});

/** Lines of the error between its first and its last one. */
async function reasonsAgainst(...input: Parameters<typeof render>): Promise<readonly string[]> {
  const error: unknown = await render(...input).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert(error instanceof ReleaseError, String(error));
  const lines = error.message.split('\n');
  assert.equal(lines[0], 'mf-pricing 1.4.0 has no fragments, and they cannot be rendered:');
  return lines.slice(1, -1);
}

test('fragments: every component that renders otherwise for another visitor is named', async () => {
  const depends = 'depends on the visitor’s screen, language or storage, or on the time';
  assert.deepEqual(
    await reasonsAgainst({
      throws: `throw new Error('No plans');`,
      notifies: `shell.notify({ title: 'Hello' });`,
      fits: `return matchMedia('(width > 600px)').matches ? 'narrow' : 'wide';`,
      measures: `return innerWidth;`,
      remembers: `return localStorage.getItem('plan') ?? 'Free';`,
      translates: `return navigator.language;`,
      draws: `return Math.random();`,
      dates: `return new Date().getFullYear();`,
      sees: `return screen.width;`,
      names: `return navigator.userAgent;`,
      empty: `return React.createElement('p', null, 'Plans');`,
    }),
    [
      './throws Error: No plans',
      './notifies Error: shell.notify() was called while rendering. Call it in an effect or an event handler.',
      ...['fits', 'measures', 'remembers', 'translates', 'draws', 'dates', 'sees', 'names'].map(
        (key) => `./${key} ${depends}`,
      ),
    ],
  );
});

test('fragments: a component that renders nothing is named', async () => {
  assert.deepEqual(await reasonsAgainst({ pricing: 'return null;' }), ['./pricing renders nothing']);
});

test('fragments: a container that runs for ever, evaluates text or requests a file without a hash is refused', async () => {
  assert.deepEqual(
    await reasonsAgainst({
      pricing: `for (;;);`,
    }),
    ['The part stops the page: it does not answer for 20 s'],
  );
  const [evaluated = ''] = await reasonsAgainst({ pricing: `return eval('1');` });
  assert.match(evaluated, /refuse under the page's policy: eval\|1 \(set without/);
  const lazy = `const script = document.createElement('script');
    const policy = trustedTypes.createPolicy('mf-pricing@1.4.0', { createScriptURL: (url) => url });
    script.src = policy.createScriptURL('/mf-pricing/1.4.0/lazy.js');
    document.head.append(script);
    return 'Plans';`;
  const [refused = ''] = await reasonsAgainst({ pricing: lazy }, { 'lazy.js': '' });
  assert.match(
    refused,
    /refuse under the page's policy: \/mf-pricing\/1\.4\.0\/lazy\.js \(requested without a hash\)/,
  );
});
