import { preloadChoice, canarySlotAttributes } from '@countersign/contracts/page-markup';
import { runInline } from '../testing/run-inline.ts';
import { sampleRelease, sampleVersion } from '../testing/sample-release.ts';
import { assignGroups } from './assign-groups.ts';
import { preloadScript, swapCanaryMarkupScript } from './canary-scripts.ts';
import { visitorId, visitorStorageKey } from './visitor-id.ts';

const version = sampleVersion('1.0.0');
/** Of a canary of several parts. */
let together: string | undefined;

/** Markup for both groups, as the composer writes it. */
function addChoice(): void {
  for (const group of ['stable', 'canary']) {
    const template = document.createElement('template');
    template.setAttribute(preloadChoice.remote, 'mf-pricing');
    template.setAttribute(preloadChoice.percent, '50');
    template.setAttribute(preloadChoice.version, '1.0.0');
    template.setAttribute(preloadChoice.group, group);
    if (together !== undefined) template.setAttribute(preloadChoice.together, together);
    template.innerHTML = `<link rel="preload" as="script" href="/${group}.js">`;
    document.head.append(template);
  }
}

function loadedAhead(): (string | null)[] {
  return [...document.head.querySelectorAll('link')].map((link) => link.getAttribute('href'));
}

/** Gives the page an address that asks for the canary. */
function requestCanary(): void {
  history.replaceState(null, '', '?variant=mf-pricing@1.0.0');
}

/** Calls back for fifty visitors, with the group that the shell assigns. Both groups occur. */
function forEachVisitor(check: (group: 'stable' | 'canary') => void): void {
  const seen = new Set<string>();
  for (let visitor = 0; visitor < 50; visitor += 1) {
    localStorage.setItem(visitorStorageKey, `visitor-${visitor}`);
    const group = assignedGroup();
    check(group);
    seen.add(group);
  }
  expect(seen.size).toBe(2);
}

function assignedGroup() {
  const canary = { version, percent: 50, ...(together !== undefined && { together }) };
  const release = sampleRelease({ 'mf-pricing': { live: version, canary } });
  return assignGroups(release, location.search, () => visitorId(visitorStorageKey))['mf-pricing'] ?? 'stable';
}

beforeEach(() => {
  history.replaceState(null, '', '/');
  localStorage.clear();
  document.head.replaceChildren();
  together = undefined;
});
afterEach(() => void jest.restoreAllMocks());

const canaries = [
  ['one part', undefined],
  ['several parts', 'mf-leads@1.2.0 mf-pricing@1.0.0'],
] as const;

test.each(canaries)(
  'preload: matches the assignment of the shell for every visitor: canary of %s',
  (_, versions) => {
    together = versions;
    forEachVisitor((group) => {
      document.head.replaceChildren();
      addChoice();
      runInline(preloadScript);
      expect(loadedAhead()).toEqual([`/${group}.js`]);
    });
  },
);

test('preload: the canary that the address asks for, and no ID is created', () => {
  requestCanary();
  addChoice();
  runInline(preloadScript);
  expect(loadedAhead()).toEqual(['/canary.js']);
  expect(localStorage).toHaveLength(0);
});

test('preload: creates the visitor ID that the shell uses', () => {
  addChoice();
  runInline(preloadScript);
  expect(loadedAhead()).toEqual([`/${assignedGroup()}.js`]);
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
  /** Adds both slots, as the composer writes them, and runs the inline script that follows them. */
  function loadSlots(): void {
    const { remote, percent, version: canary, together: versions } = canarySlotAttributes;
    const joint = together === undefined ? '' : ` ${versions}="${together}"`;
    document.body.innerHTML =
      '<div>Live</div>' +
      `<template ${remote}="mf-pricing" ${percent}="50" ${canary}="1.0.0"${joint}><style></style><div>Canary</div></template>` +
      '<p>After</p>';
    runInline(swapCanaryMarkupScript);
  }

  test.each(canaries)('belongs to the version that the shell will hydrate: canary of %s', (_, named) => {
    together = named;
    forEachVisitor((group) => {
      loadSlots();
      expect(document.body).toHaveTextContent(group === 'canary' ? /^CanaryAfter$/ : /^LiveAfter$/);
      expect(document.querySelector('template')).toBeNull();
    });
  });

  test('is shown if the address asks for the canary', () => {
    requestCanary();
    loadSlots();
    expect(document.body).toHaveTextContent(/^CanaryAfter$/);
  });

  test('includes its styles', () => {
    forEachVisitor((group) => {
      loadSlots();
      expect(document.body.firstElementChild?.localName).toBe(group === 'canary' ? 'style' : 'div');
    });
  });
});
