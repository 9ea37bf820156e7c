import { scriptCopiesElementId, slotAttributes } from '@countersign/contracts/page-markup';
import { runInline } from '../testing/run-inline.ts';
import { retryShellScriptSource } from './retry-shell-script.ts';

const script =
  '<script src="/shell/1.0.0/shell.js" integrity="sha256-AAAA" crossorigin="anonymous" defer></script>';
const isPlain = () => document.documentElement.hasAttribute(slotAttributes.plain);
const scripts = () => [...document.querySelectorAll('script[src]')];
const fail = (element: Element | undefined) => element?.dispatchEvent(new Event('error'));

beforeAll(() => runInline(retryShellScriptSource));
beforeEach(() => {
  jest.useFakeTimers();
  document.documentElement.removeAttribute(slotAttributes.plain);
  document.body.innerHTML = `<link rel="preload" href="/shell/1.0.0/shell.js">${script}<template id="${scriptCopiesElementId}">${script}</template>`;
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('shell script: a failed one is retried after a second, with its hash, without preload', () => {
  fail(scripts()[0]);
  expect(scripts()).toHaveLength(1);
  jest.advanceTimersByTime(1000);
  expect(scripts().map(({ outerHTML }) => outerHTML.replace('=""', ''))).toEqual([script, script]);
  expect(document.querySelector('link')).toBeNull();
  expect(isPlain()).toBe(false);
});

test('shell script: offline, it is requested when online, and every 5 s in any case', () => {
  const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  fail(scripts()[0]);
  jest.advanceTimersByTime(5000);
  expect(scripts()).toHaveLength(2);
  fail(scripts()[1]);
  dispatchEvent(new Event('online'));
  expect(scripts()).toHaveLength(3);
  expect(isPlain()).toBe(false);
  onLine.mockReturnValue(true);
  fail(scripts()[2]);
  jest.advanceTimersByTime(1000);
  fail(scripts()[3]);
  expect(isPlain()).toBe(true);
});

test('shell script: the failure of another script is left to its loader', () => {
  const other = Object.assign(document.createElement('script'), { src: '/mf-leads/1.0.0/entry.js' });
  document.body.append(other);
  fail(other);
  jest.advanceTimersByTime(60_000);
  expect(scripts()).toHaveLength(2);
});
