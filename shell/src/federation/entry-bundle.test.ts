import { bundledEntriesAttribute } from '@countersign/contracts/page-markup';
import type { Asset } from '@countersign/contracts/release-document';
import { bundledEntryAt, entryBundleLoader, readEntryBundle } from './entry-bundle.ts';

const integrity = `sha256-${'A'.repeat(43)}=`;
const file = (url: string): Asset => ({ url, integrity });
const [header, pricing] = [file('/mf-header/1.0.0/entry.js'), file('/mf-pricing/2.0.0/entry.js')];

beforeEach(() => {
  const link = document.createElement('link');
  link.href = '/entries.0123456789abcdef.js';
  link.integrity = integrity;
  link.setAttribute(bundledEntriesAttribute, `2 ${header.url} 5 ${pricing.url}`);
  document.head.replaceChildren(link);
});

/** A loader that starts no request. `answer` fires an event of the last script that it has created. */
function createLoader() {
  const scripts: HTMLScriptElement[] = [];
  const loader = entryBundleLoader(readEntryBundle(), (url) => {
    const script = Object.assign(document.createElement('script'), { title: url, type: 'text/plain' });
    scripts.push(script);
    return script;
  });
  return { loader, scripts, answer: (event: string) => scripts.at(-1)?.dispatchEvent(new Event(event)) };
}

test.each(['load', 'error'])(
  'entry bundle: parts wait for its %s, and it is requested once',
  async (event) => {
    const { loader, scripts, answer } = createLoader();
    const loads = Promise.all([loader.load(header), loader.load(pricing)]);
    expect(scripts.map(({ title }) => title)).toEqual([`${location.origin}/entries.0123456789abcdef.js`]);
    answer(event);
    await loads;
    await loader.load(header);
    expect(scripts).toHaveLength(1);
  },
);

test('entry bundle: after five seconds without an answer, each part loads its own entry', async () => {
  jest.useFakeTimers();
  const { loader } = createLoader();
  const load = loader.load(header);
  jest.advanceTimersByTime(5000);
  await expect(load).resolves.toBeUndefined();
  jest.useRealTimers();
});

test('entry bundle: other entries do not load it', async () => {
  const { loader, scripts } = createLoader();
  await loader.load(file('/mf-pricing/1.0.0/entry.js'));
  expect(scripts).toEqual([]);
  expect([header, file('/mf-pricing/1.0.0/entry.js')].map((each) => loader.includes(each))).toEqual([
    true,
    false,
  ]);
});

test('entry bundle: a page without one loads each entry on its own', async () => {
  document.head.replaceChildren();
  const { loader, scripts } = createLoader();
  await loader.load(header);
  expect(scripts).toEqual([]);
});

test('entry bundle: a line in it names the entry', () => {
  const at = (line: number) =>
    bundledEntryAt(`at f (https://a.example/entries.0123456789abcdef.js:${line}:7)`);
  expect([1, 2, 4, 5, 99].map(at)).toEqual([undefined, header.url, header.url, pricing.url, pricing.url]);
  expect(bundledEntryAt('at f (https://a.example/shell/1.0.0/shell.js:2:7)')).toBeUndefined();
});
