import { preloadChoice } from '@countersign/contracts/preload-choice';
import { canarySlotAttributes } from '@countersign/contracts/slot-markup';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { runInline } from '../testing/run-inline.ts';
import { assignVariants } from './assign-variants.ts';
import { preloadScript, swapCanaryMarkupScript } from './canary-scripts.ts';
import { visitorId, visitorStorageKey } from './visitor-id.ts';

const version = {
  version: '1.0.0',
  globalName: 'mf-pricing@1.0.0',
  entry: { url: '/mf-pricing/1.0.0/entry.js', integrity: `sha384-${'a'.repeat(64)}` },
  exposes: {},
};

const release: ReleaseDocument = {
  schemaVersion: 1,
  releaseId: 'r-0123456789ab',
  shell: { version: '1.0.0', scripts: [], styles: [] },
  remotes: { 'mf-pricing': { live: version, canary: { version, percent: 50 } } },
};

/** Markup for both variants, as the composer writes it. */
function addChoice(): void {
  for (const group of ['stable', 'canary']) {
    const template = document.createElement('template');
    template.setAttribute(preloadChoice.remote, 'mf-pricing');
    template.setAttribute(preloadChoice.percent, '50');
    template.setAttribute(preloadChoice.group, group);
    template.innerHTML = `<link rel="preload" as="script" href="/${group}.js">`;
    document.head.append(template);
  }
}

function loadedAhead(): (string | null)[] {
  return [...document.head.querySelectorAll('link')].map((link) => link.getAttribute('href'));
}

beforeEach(() => {
  localStorage.clear();
  document.head.replaceChildren();
});
afterEach(() => void jest.restoreAllMocks());

test('preload: matches the assignment of the shell for every visitor', () => {
  const seen = new Set<string>();
  for (let visitor = 0; visitor < 50; visitor += 1) {
    localStorage.setItem(visitorStorageKey, `visitor-${visitor}`);
    document.head.replaceChildren();
    addChoice();
    runInline(preloadScript);
    const group = assignVariants(release, () => visitorId(visitorStorageKey))['mf-pricing'];
    expect(loadedAhead()).toEqual([`/${group}.js`]);
    seen.add(group);
  }
  expect(seen.size).toBe(2);
});

test('preload: creates the visitor ID that the shell uses', () => {
  addChoice();
  runInline(preloadScript);
  const group = assignVariants(release, () => visitorId(visitorStorageKey))['mf-pricing'];
  expect(loadedAhead()).toEqual([`/${group}.js`]);
});

test('preload: without storage, the stable version is preloaded', () => {
  jest.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied.', 'SecurityError');
  });
  addChoice();
  runInline(preloadScript);
  expect(loadedAhead()).toEqual(['/stable.js']);
});

test('preload: no ID is created without a canary', () => {
  runInline(preloadScript);
  expect(localStorage).toHaveLength(0);
});

describe('the markup of a remote with a canary', () => {
  function addSlots(): void {
    const { remote, percent } = canarySlotAttributes;
    document.body.innerHTML =
      '<div>Live</div>' +
      `<template ${remote}="mf-pricing" ${percent}="50"><style></style><div>Canary</div></template>` +
      '<p>After</p>';
    runInline(swapCanaryMarkupScript);
  }

  test('belongs to the version that the shell will hydrate', () => {
    const seen = new Set<string>();
    for (let visitor = 0; visitor < 50; visitor += 1) {
      localStorage.setItem(visitorStorageKey, `visitor-${visitor}`);
      addSlots();
      const group = assignVariants(release, () => visitorId(visitorStorageKey))['mf-pricing'];
      expect(document.body).toHaveTextContent(group === 'canary' ? /^CanaryAfter$/ : /^LiveAfter$/);
      expect(document.querySelector('template')).toBeNull();
      seen.add(group);
    }
    expect(seen.size).toBe(2);
  });

  test('includes its styles', () => {
    localStorage.setItem(visitorStorageKey, 'visitor-0');
    for (let visitor = 0; !document.body.textContent?.includes('Canary'); visitor += 1) {
      localStorage.setItem(visitorStorageKey, `visitor-${visitor}`);
      addSlots();
    }
    expect(document.body.firstElementChild?.localName).toBe('style');
  });
});
