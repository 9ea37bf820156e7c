import { retryFailedLoads } from './retry-failed-loads.ts';

const known = `${location.origin}/mf-pricing/1.0.0/exposed.js`;

/** Stands for the Trusted Types policy, which allows the scripts of the release only. Stylesheets need none. */
function trustedUrl(url: string): string {
  if (url !== known) throw new Error(`Unknown: ${url}`);
  return url;
}
beforeAll(() => retryFailedLoads(trustedUrl));

let online: boolean;
beforeEach(() => {
  jest.useFakeTimers();
  online = true;
  jest.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online);
  document.head.replaceChildren();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

function goOffline(): void {
  online = false;
}

function goOnline(): void {
  online = true;
  window.dispatchEvent(new Event('online'));
}

/** Creates an element that records its `load` and `error` events. */
function addLoad(element: HTMLScriptElement | HTMLLinkElement) {
  const outcomes: string[] = [];
  element.onload = ({ type }) => void outcomes.push(type);
  element.onerror = (event) => void outcomes.push(typeof event === 'string' ? event : event.type);
  document.head.append(element);
  return { element, outcomes };
}

function addScript(src = known) {
  const element = Object.assign(document.createElement('script'), { src, crossOrigin: 'anonymous' });
  element.setAttribute('integrity', 'sha256-AAAA');
  return addLoad(element);
}

function addLink(rel: string) {
  return addLoad(Object.assign(document.createElement('link'), { rel, href: '/exposed.css' }));
}

const fail = (element: Element | null) => element?.dispatchEvent(new Event('error'));
const inHead = () => document.head.firstElementChild;

/** Expects that a copy with the same hash has replaced a script, and loads it. */
function expectCopyAndLoadIt(element: Element): Element | null {
  const copy = inHead();
  expect(copy).not.toBe(element);
  expect(copy).toMatchObject({ src: known, crossOrigin: 'anonymous' });
  expect(copy).toHaveAttribute('integrity', 'sha256-AAAA');
  copy?.dispatchEvent(new Event('load'));
  return copy;
}

test('retry: a script that fails is requested again after a second, with its hash', () => {
  const { element, outcomes } = addScript();
  fail(element);
  expect(inHead()).toBe(element);
  jest.advanceTimersByTime(1000);
  expectCopyAndLoadIt(element);
  expect(outcomes).toEqual(['load']);
});

test('retry: a second failure reaches the loader, whose script element is removed', () => {
  const { element, outcomes } = addScript();
  fail(element);
  jest.advanceTimersByTime(1000);
  fail(inHead());
  jest.advanceTimersByTime(60_000);
  expect(outcomes).toEqual(['error']);
  expect(inHead()).toBeNull();
});

test('retry: a script that fails offline is retried once when online', () => {
  const { element, outcomes } = addScript();
  goOffline();
  fail(element);
  expect(outcomes).toEqual([]);
  goOnline();
  const copy = expectCopyAndLoadIt(element);
  expect(outcomes).toEqual(['load']);
  goOnline();
  expect(inHead()).toBe(copy);
});

test('retry: a browser that wrongly says it is offline gets the script after 5 s', () => {
  const { element, outcomes } = addScript();
  goOffline();
  fail(element);
  jest.advanceTimersByTime(5000);
  const copy = expectCopyAndLoadIt(element);
  expect(outcomes).toEqual(['load']);
  goOnline();
  expect(inHead()).toBe(copy);
});

test('retry: a preload that failed is removed, because the browser would use it again', () => {
  const preload = Object.assign(document.createElement('link'), { rel: 'preload', href: known });
  const { element } = addScript();
  document.head.append(preload);
  fail(element);
  expect(preload.isConnected).toBe(false);
});

test('retry: a stylesheet that fails offline is retried when online', () => {
  const { element, outcomes } = addLink('stylesheet');
  goOffline();
  fail(element);
  goOnline();
  expect(inHead()).toMatchObject({ rel: 'stylesheet', href: `${location.origin}/exposed.css` });
  inHead()?.dispatchEvent(new Event('load'));
  expect(outcomes).toEqual(['load']);
});

test('retry: the first request after being offline may fail once', () => {
  const { element, outcomes } = addScript();
  goOffline();
  fail(element);
  goOnline();
  fail(inHead());
  expect(outcomes).toEqual([]);
  jest.advanceTimersByTime(1000);
  inHead()?.dispatchEvent(new Event('load'));
  expect(outcomes).toEqual(['load']);
});

test('retry: a retry that fails offline is retried again', () => {
  const { element, outcomes } = addScript();
  for (let time = 0; time < 3; time += 1) {
    goOffline();
    fail(inHead());
    goOnline();
  }
  expect(outcomes).toEqual([]);
  expect(inHead()).not.toBe(element);
  // Online, one more failure is retried, and the next one reaches the loader.
  fail(inHead());
  jest.advanceTimersByTime(1000);
  fail(inHead());
  expect(outcomes).toEqual(['error']);
  expect(inHead()).toBeNull();
});

test('retry: a script outside the release fails for its loader', () => {
  const { element, outcomes } = addScript('https://elsewhere.example/a.js');
  fail(element);
  jest.advanceTimersByTime(60_000);
  expect(outcomes).toEqual(['error']);
  expect(inHead()).toBe(element);
});

test('retry: a failed preload link is not retried', () => {
  const { element, outcomes } = addLink('preload');
  fail(element);
  expect(outcomes).toEqual(['error']);
});
