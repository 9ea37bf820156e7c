import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkFragment } from '@countersign/contracts/check-fragment';
import { defineJourneys, press, see } from '@countersign/contracts/journeys';
import { partManifest } from '@countersign/contracts/part-manifest';
import { compile } from '../base/compile.ts';
import { createRemoteConfig } from '../part/create-remote-config.ts';
import { sampleRemote, writePart } from '../testing/sample-part.ts';

const journeys = defineJourneys({ 'the menu opens': [press('button "Open menu"'), see('dialog "Menu"')] });

/** Builds a part and returns the build folder. Rejects with webpack's errors. */
async function build(root: string): Promise<string> {
  await compile(createRemoteConfig({ root, remote: sampleRemote, journeys, version: '1.2.3' }));
  return join(root, 'dist');
}

test('fragments: a build renders its components, with the class names and ids of the browser', async () => {
  await using part = await writePart({
    'src/header.module.css': '.bar { color: red }',
    'src/header.tsx': `import { useId } from 'react';
      import styles from './header.module.css';
      export default function Header({ shell }) {
        const id = useId();
        return <header className={styles.bar} aria-labelledby={id}><p id={id}>Hello</p><a href={shell.page.appHost + '/login'}>Sign In</a></header>;
      }`,
  });
  const built = await build(part.path);
  const manifest = partManifest.parse(JSON.parse(await readFile(join(built, 'part.json'), 'utf8')));
  assert.deepEqual(manifest.budget, { markup: 1, style: 2, script: 3 });
  assert.deepEqual(manifest.journeys, journeys);
  assert.deepEqual(manifest.fragments, { './header': 'fragments/header.html' });
  assert(manifest.files.includes('fragments/header.html'));
  const markup = await readFile(join(built, 'fragments', 'header.html'), 'utf8');
  assert.deepEqual(checkFragment(markup, { remote: 'mf-header', exposed: './header' }), []);
  const [, className = ''] = /class="([^"]+)"/.exec(markup) ?? [];
  const [stylesheet = ''] = manifest.exposes['./header']?.styles ?? [];
  assert(className !== '' && (await readFile(join(built, stylesheet), 'utf8')).includes(`.${className}{`));
  assert.match(
    markup,
    /<p id="_mf-header-header-R_0_">Hello<\/p><a href="https:\/\/app-host\.invalid\/login">/,
  );
});

test('fragments: an imported image is the file that the build emits', async () => {
  await using part = await writePart({
    'seal.png': 'pixels',
    'src/header.tsx': `import seal from '../seal.png';
      export default () => <p><img src={seal} alt="Seal" /></p>;`,
  });
  const built = await build(part.path);
  const markup = await readFile(join(built, 'fragments', 'header.html'), 'utf8');
  const [, file = ''] = /^<p><img src="\/mf-header\/1\.2\.3\/([^"]+)" alt="Seal"><\/p>$/.exec(markup) ?? [];
  assert.equal(await readFile(join(built, file), 'utf8'), 'pixels', markup);
  const manifest = partManifest.parse(JSON.parse(await readFile(join(built, 'part.json'), 'utf8')));
  assert(manifest.files.includes(file), `${file} is not in part.json`);
  // The browser adds the path of the script.
  const [script = ''] = manifest.exposes['./header']?.scripts ?? [];
  assert((await readFile(join(built, script), 'utf8')).includes(JSON.stringify(file)), file);
});

for (const [what, component, message] of [
  ['needs a browser', `export default () => <p>{document.title}</p>`, /does not render without a browser/],
  [
    'needs a browser when it is imported',
    `const { title } = document; export default () => <p>{title}</p>`,
    /does not load without a browser: ReferenceError: document is not defined/,
  ],
  [
    'asks the page for something while it renders',
    `export default ({ shell }) => { shell.notify({ title: 'Hello' }); return null; }`,
    /does not render without a browser/,
  ],
  [
    'renders the year of the build',
    `const year = new Date().getFullYear(); export default () => <p>{'© ' + year + ' Sample'}</p>`,
    /\.\/header renders the time of its build, or something random: "<p>© 20\d\d Sample.*" now, "<p>© 20\d\d Sample.*" two years later\./,
  ],
  ['renders something random', `export default () => <p>{Math.random()}</p>`, /or something random/],
  [
    'has an inline style',
    `export default () => <p style={{ color: 'red' }}>Hello</p>`,
    /fragments\/header\.html: line 1, column 1, <p>: the page refuses inline styles/,
  ],
] as const) {
  test(`fragments: the build fails when a component ${what}`, async () => {
    await using part = await writePart({ 'src/header.tsx': component });
    await assert.rejects(build(part.path), message);
  });
}
