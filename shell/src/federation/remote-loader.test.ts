import type { ReleaseDocument, RemoteRelease, RemoteVersion } from '@countersign/contracts/release-document';
import { init } from '@module-federation/enhanced/runtime';
import { createRemoteLoader } from './remote-loader.ts';

let pages = 0;
let lastVersion = 0;

// In the real page the build makes this instance. One of its own for every test stands for a page of its own.
beforeEach(() => {
  pages += 1;
  init({ name: `shell-${pages}`, remotes: [] });
});
afterEach(() => document.head.replaceChildren());

/** A version that no other test has used: the runtime keeps what it has once loaded. */
function createVersion(): RemoteVersion {
  lastVersion += 1;
  const version = `1.0.${lastVersion}`;
  return {
    version,
    globalName: `mf-pricing@${version}`,
    entry: { url: `/mf-pricing/${version}/entry.js`, integrity: `sha384-${'A'.repeat(64)}` },
    exposes: {},
  };
}

function releaseOf(remote: RemoteRelease): ReleaseDocument {
  return {
    schemaVersion: 1,
    releaseId: 'r-000000000000',
    shell: { version: '1.0.0', scripts: [], styles: [] },
    remotes: { 'mf-pricing': remote },
  };
}

/** Puts a container on the page, as its entry would when the browser runs it. */
function runEntry({ globalName }: RemoteVersion, exposes: Readonly<Record<string, unknown>>): void {
  const container = {
    init: () => undefined,
    get: (key: string) => Promise.resolve(() => exposes[key]),
  };
  Object.assign(globalThis, { [globalName]: container });
}

const Pricing = () => null;

test('the live version is tried first, then the previous one', () => {
  const [live, previous] = [createVersion(), createVersion()];
  const loader = createRemoteLoader(releaseOf({ live, previous }));
  expect(loader.candidates('mf-pricing', './pricing').map(({ version }) => version)).toEqual([
    live.version,
    previous.version,
  ]);
});

test('loader: the start of a load is told before the entry is on the page', () => {
  const canary = createVersion();
  const release = releaseOf({ live: createVersion(), canary: { version: canary, percent: 10 } });
  const told: string[] = [];
  const loader = createRemoteLoader(release, { 'mf-pricing': 'canary' }, (remote, version) =>
    told.push(`${remote} ${version}, scripts: ${document.scripts.length}`),
  );
  const [first] = loader.candidates('mf-pricing', './pricing');
  expect(told).toEqual([]);
  void first?.load().catch(() => undefined);
  expect(told).toEqual([`mf-pricing ${canary.version}, scripts: 0`]);
});

test('the first release of a remote is the only one to try', () => {
  const live = createVersion();
  const loader = createRemoteLoader(releaseOf({ live }));
  expect(loader.candidates('mf-pricing', './pricing').map(({ version }) => version)).toEqual([live.version]);
});

test('there is nothing to try of a remote that the release does not name', () => {
  const loader = createRemoteLoader(releaseOf({ live: createVersion() }));
  expect(loader.candidates('mf-leads', './call-to-action')).toEqual([]);
});

test('a slot gets the same candidates however often it asks, or it would start again', () => {
  const loader = createRemoteLoader(releaseOf({ live: createVersion() }));
  expect(loader.candidates('mf-pricing', './pricing')).toBe(loader.candidates('mf-pricing', './pricing'));
  expect(loader.candidates('mf-leads', './call-to-action')).toBe(
    loader.candidates('mf-leads', './call-to-action'),
  );
});

test('every version hands out its own module, once', async () => {
  const [live, previous] = [createVersion(), createVersion()];
  const OlderPricing = () => null;
  runEntry(live, { './pricing': { default: Pricing } });
  runEntry(previous, { './pricing': { default: OlderPricing } });
  const [first, second] = createRemoteLoader(releaseOf({ live, previous })).candidates(
    'mf-pricing',
    './pricing',
  );
  expect((await first?.load())?.default).toBe(Pricing);
  expect((await second?.load())?.default).toBe(OlderPricing);
  expect(first?.load()).toBe(first?.load());
});

test('a visitor of the canary gets it first, and what everybody gets behind it', () => {
  const [live, previous, canary] = [createVersion(), createVersion(), createVersion()];
  const release = releaseOf({ live, previous, canary: { version: canary, percent: 10 } });
  const versionsFor = (group: 'stable' | 'canary') =>
    createRemoteLoader(release, { 'mf-pricing': group })
      .candidates('mf-pricing', './pricing')
      .map(({ version }) => version);
  expect(versionsFor('canary')).toEqual([canary.version, live.version, previous.version]);
  expect(versionsFor('stable')).toEqual([live.version, previous.version]);
});

test('a module without a component is refused', async () => {
  const live = createVersion();
  runEntry(live, { './pricing': { default: '<p>Prices</p>' } });
  const [candidate] = createRemoteLoader(releaseOf({ live })).candidates('mf-pricing', './pricing');
  await expect(candidate?.load()).rejects.toThrow(`${live.globalName}/pricing exposes no component.`);
});

test('the runtime asks for an entry that is not there yet with its integrity, and fails with it', async () => {
  const live = createVersion();
  const [candidate] = createRemoteLoader(releaseOf({ live })).candidates('mf-pricing', './pricing');
  const asked = new Promise<HTMLScriptElement>((resolve) => {
    new MutationObserver(() => {
      const script = document.querySelector<HTMLScriptElement>('script');
      if (script) resolve(script);
    }).observe(document, { childList: true, subtree: true });
  });
  const loaded = candidate?.load();
  const script = await asked;
  expect(script.src).toBe(`${location.origin}${live.entry.url}`);
  expect(script.integrity).toBe(live.entry.integrity);

  // What a browser does when the bytes are not those that were promised.
  script.dispatchEvent(new Event('error'));
  await expect(loaded).rejects.toThrow(live.globalName);
});

test('a version that could not be had is loaded again by the next call', async () => {
  const live = createVersion();
  const [candidate] = createRemoteLoader(releaseOf({ live })).candidates('mf-pricing', './pricing');
  const exposes: Record<string, unknown> = {};
  runEntry(live, exposes);
  await expect(candidate?.load()).rejects.toThrow('exposes no component');
  exposes['./pricing'] = { default: Pricing };
  expect((await candidate?.load())?.default).toBe(Pricing);
});
