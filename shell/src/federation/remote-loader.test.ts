import { federationRuntimeGlobal } from '@countersign/contracts/remotes';
import type { RemoteState, RemoteVersion } from '@countersign/contracts/release-document';
import { sampleRelease, sampleVersion } from '../testing/sample-release.ts';
import { createRemoteLoader } from './remote-loader.ts';

let lastVersion = 0;

afterEach(() => {
  jest.useRealTimers();
  document.head.replaceChildren();
});

/** A unique version per test, because the runtime caches loaded versions. */
function createVersion(): RemoteVersion {
  lastVersion += 1;
  return sampleVersion(`1.0.${lastVersion}`);
}

const releaseOf = (remote: RemoteState) => sampleRelease({ 'mf-pricing': remote });

/** Defines a container global, as its entry would. */
function runEntry({ globalName }: RemoteVersion, exposes: Readonly<Record<string, unknown>>): void {
  const container = {
    init: () => undefined,
    get: (key: string) => Promise.resolve(() => exposes[key]),
  };
  Object.assign(globalThis, { [globalName]: container });
}

const Pricing = () => null;

test('loader: a slot gets the same attempts on every call', () => {
  const loader = createRemoteLoader(releaseOf({ live: createVersion() }));
  expect(loader.attempts('mf-pricing', './pricing')).toBe(loader.attempts('mf-pricing', './pricing'));
  expect(loader.attempts('mf-leads', './call-to-action')).toBe(
    loader.attempts('mf-leads', './call-to-action'),
  );
});

test('loader: no script can replace the federation runtime', () => {
  createRemoteLoader(releaseOf({ live: createVersion() }));
  expect(Reflect.set(globalThis, federationRuntimeGlobal, {})).toBe(false);
});

test('loader: every version returns its own module, loaded once', async () => {
  const [live, previous] = [createVersion(), createVersion()];
  const OlderPricing = () => null;
  runEntry(live, { './pricing': { default: Pricing } });
  runEntry(previous, { './pricing': { default: OlderPricing } });
  const [first, second] = createRemoteLoader(releaseOf({ live, previous })).attempts(
    'mf-pricing',
    './pricing',
  );
  expect((await first?.load())?.default).toBe(Pricing);
  expect((await second?.load())?.default).toBe(OlderPricing);
  expect(first?.load()).toBe(first?.load());
});

test('loader: attempts canary, live and previous version, if the release has them', () => {
  const [live, previous] = [createVersion(), createVersion()];
  const canary = { version: createVersion(), percent: 10 };
  const versionsFor = (remote: RemoteState, group: 'stable' | 'canary' = 'stable') =>
    createRemoteLoader(releaseOf(remote), { 'mf-pricing': group })
      .attempts('mf-pricing', './pricing')
      .map(({ version }) => version);
  expect(versionsFor({ live, previous, canary }, 'canary')).toEqual(
    [canary.version, live, previous].map(({ version }) => version),
  );
  expect(versionsFor({ live, previous, canary })).toEqual([live.version, previous.version]);
  expect(versionsFor({ live, previous })).toEqual([live.version, previous.version]);
  expect(versionsFor({ live })).toEqual([live.version]);
  const loader = createRemoteLoader(releaseOf({ live }));
  expect(loader.attempts('mf-leads', './call-to-action')).toEqual([]);
});

test('loader: a module without a component is an error', async () => {
  const live = createVersion();
  runEntry(live, { './pricing': { default: '<p>Prices</p>' } });
  const [attempt] = createRemoteLoader(releaseOf({ live })).attempts('mf-pricing', './pricing');
  await expect(attempt?.load()).rejects.toThrow(`${live.globalName}/pricing exposes no component.`);
});

test('loader: the entry is requested with its integrity, and its failure rejects', async () => {
  jest.useFakeTimers();
  const live = createVersion();
  const [attempt] = createRemoteLoader(releaseOf({ live })).attempts('mf-pricing', './pricing');
  const asked = new Promise<HTMLScriptElement>((resolve) => {
    new MutationObserver(() => {
      const script = document.querySelector<HTMLScriptElement>('script');
      if (script) resolve(script);
    }).observe(document, { childList: true, subtree: true });
  });
  const loaded = expect(attempt?.load()).rejects.toThrow(live.globalName);
  const script = await asked;
  expect(script.src).toBe(`${location.origin}${live.entry.url}`);
  expect(script.integrity).toBe(live.entry.integrity);

  // Browsers fire `error` if the integrity check fails.
  script.dispatchEvent(new Event('error'));
  // However long it takes, such as without a connection. The loader of each test before repeats the request, too.
  for (let round = 0; round < 9; round += 1) {
    await jest.advanceTimersByTimeAsync(20_000);
    document.querySelector('script')?.dispatchEvent(new Event('error'));
  }
  await loaded;
});

test('loader: a preload has the attributes of the later request', () => {
  const script = { url: '/mf-pricing/1.0.0/entry.js', integrity: `sha256-${'B'.repeat(43)}=` };
  const live: RemoteVersion = {
    ...createVersion(),
    exposes: { './pricing': { scripts: [script], styles: [] } },
  };
  const [attempt] = createRemoteLoader(releaseOf({ live })).attempts('mf-pricing', './pricing');
  attempt?.preload();
  expect(document.head.querySelector('link')).toMatchObject({
    rel: 'preload',
    as: 'script',
    crossOrigin: 'anonymous',
    integrity: script.integrity,
    href: new URL(script.url, location.origin).href,
  });
});
