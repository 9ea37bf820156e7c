import assert from 'node:assert/strict';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { defineJourneys, see } from '@countersign/contracts/journeys';
import { fragmentBundleFile } from '../fragments/emit-fragments.ts';
import { sampleRemote, writePart } from '../testing/sample-part.ts';
import { buildMutants, type Mutant } from './build-mutants.ts';

const component = `
import { useState } from 'react';
import styles from './header.module.css';

const items = ['Pricing', 'API'];

export default function Header() {
  const [isOpen, setOpen] = useState(false);
  if (items.length > 9) throw new Error('too many');
  // blind spot (role): this list keeps its role
  // in other browsers only.
  const list = <ul role="list">{items.map((item) => <li key={item}>{item}</li>)}</ul>;
  return (
    <header className={styles.bar}>
      <p hidden>Sample &amp; Co</p>
      {list}
      <button type="button" onClick={() => setOpen(true)}>{\`\${items.length} items\`}</button>
    </header>
  );
}`;

const styles = `/* blind spot (visibility): true of the whole file */
.bar {
  display: flex;
  color: red;
  margin: 0;
  /* blind spot: no element lies over another one */
  position: relative;
  visibility: visible;
}

/* blind spot: no visitor prints */
@media print {
  .bar {
    display: none;
  }
}

@media (width < 20rem) {
  [data-plain] .bar {
    display: grid;
  }
}`;

const journeys = defineJourneys({ 'the header is shown': [see('banner')] });

/** A mutant in one line. */
const describe = ({ file, lines: [line], place, change, reason }: Mutant) =>
  [`${file}:${line}`, place, change, ...(reason === undefined ? [] : [reason])].join(' | ');

test('build with mutants: each is behind a switch, and rendered on request', async () => {
  await using part = await writePart({ 'src/header.module.css': styles, 'src/header.tsx': component });
  const folder = join(part.path, 'build');
  await using build = await buildMutants(part.path, { remote: sampleRemote }, journeys, folder);

  assert.deepEqual(build.mutants.map(describe), [
    `src/header.tsx:5 | items | 'Pricing' → "Mutant"`,
    `src/header.tsx:5 | items | 'API' → "Mutant"`,
    'src/header.tsx:8 | Header | false → true',
    'src/header.tsx:9 | Header | 9 → 10',
    'src/header.tsx:9 | Header | items.length > 9 → true',
    'src/header.tsx:9 | Header | items.length > 9 → false',
    'src/header.tsx:12 | Header | without role="list" | this list keeps its role',
    'src/header.tsx:12 | Header | without {item}',
    'src/header.tsx:12 | Header | without {items.map((item) => <li key={item}>{item}</li>)}',
    'src/header.tsx:15 | Header | without hidden',
    'src/header.tsx:15 | Header | "Sample &amp; Co" → "Mutant"',
    'src/header.tsx:15 | Header | without <p hidden>Sample &amp; Co</p>',
    'src/header.tsx:16 | Header | without {list}',
    'src/header.tsx:17 | Header | without type="button"',
    'src/header.tsx:17 | Header | true → false',
    'src/header.tsx:17 | Header | without onClick={() => setOpen(true)}',
    'src/header.tsx:17 | Header | `${items.length} items` → "Mutant"',
    'src/header.tsx:17 | Header | without <button type="button" onClick={() => setOpen(true)}>{`${ite…',
    'src/header.module.css:7 |  | without position: relative | no element lies over another one',
    'src/header.module.css:8 |  | without visibility: visible | true of the whole file',
    'src/header.module.css:14 |  | without display: none | no visitor prints',
    'src/header.module.css:20 |  | without display: grid',
  ]);

  const render = async (change?: string) => {
    const ids = build.mutants.filter((mutant) => mutant.change === change).map(({ id }) => id);
    const markup = (await build.render(ids)).get('fragments/header.html') ?? '';
    return markup.replaceAll(/ class="[^"]*"/g, '');
  };
  const list = '<ul role="list"><li>Pricing</li><li>API</li></ul>';
  const whole = `<header><p hidden="">Sample &amp; Co</p>${list}<button type="button">2 items</button></header>`;
  assert.equal(await render(), whole);
  assert.equal(await render('without role="list"'), whole.replace(' role="list"', ''));
  assert.equal(await render(`'API' → "Mutant"`), whole.replace('API', 'Mutant'));
  assert.equal(await render('"Sample &amp; Co" → "Mutant"'), whole.replace('Sample &amp; Co', 'Mutant'));
  assert.equal(await render('without {list}'), whole.replace(list, ''));
  await assert.rejects(
    render('items.length > 9 → true'),
    /does not render without a browser: Error: too many/,
  );
  // The next renderer fails at its first rendering, and the one after it renders.
  const bundle = join(folder, 'modules', fragmentBundleFile);
  await rename(bundle, `${bundle}.away`);
  await assert.rejects(render(), /Cannot find module/);
  await rename(`${bundle}.away`, bundle);
  assert.equal(await render('without onClick={() => setOpen(true)}'), whole);
});

test('build with mutants: those of the shell, beside its documents, which have none', async () => {
  await using part = await writePart({
    'src/main.tsx': `import './page.css';\nimport './seal.tsx';\nimport { tell } from './tell.ts';\ntell('Loaded', 500);`,
    'src/tell.ts': `// blind spot: the console is for developers\nimport './page.css';
      export function tell(text: string) { console.log(text); }`,
    'src/seal.tsx': `// blind spot: a drawing\nimport './seal.module.css';`,
    'src/seal.module.css': 'svg { overflow: hidden }',
    'src/page.css': 'main { /* columns */ display: block }',
  });
  const documentFiles = () => ({ 'document.html': '<title>Sample</title>' });
  const folder = join(part.path, 'build');
  await using build = await buildMutants(part.path, { documentFiles }, journeys, folder);
  assert.deepEqual(build.mutants.map(describe).sort(), [
    `src/main.tsx:4 |  | 'Loaded' → "Mutant"`,
    'src/main.tsx:4 |  | 500 → 1',
    `src/main.tsx:4 |  | without tell('Loaded', 500);`,
    'src/page.css:1 |  | without display: block',
    'src/seal.module.css:1 |  | without overflow: hidden | a drawing',
    `src/tell.ts:3 | tell | without console.log(text); | the console is for developers`,
  ]);
  assert.equal(await readFile(join(build.folder, 'document.html'), 'utf8'), '<title>Sample</title>');
  const styles = async (ids: readonly string[]) => [...(await build.render(ids)).values()].join('');
  assert.match(await styles([]), /display: block/);
  assert.doesNotMatch(await styles(['src/page.css#1']), /display: block/);
});
