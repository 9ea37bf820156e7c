import assert from 'node:assert/strict';
import { test } from 'node:test';
import { versionsIn, type PartState } from '@countersign/contracts/release-versions';
import { nameVersions, versionsByPart, withLiveOnly, type Versions } from '../store/versions.ts';
import { builtShell } from '../testing/built-part.ts';
import { sampleContent } from '../testing/sample-content.ts';
import { createTemporaryStore, sampleSiteConfig } from '../testing/temporary-store.ts';
import { passedSetNames, planPages, versionsToCheck, type PlannedPage } from './planned-pages.ts';

/** The state of each part. */
type State = Versions<PartState>;

const live = { live: '1.0.0' };
const next = { live: '1.1.0', previous: '1.0.0' };
const canary = { live: '1.0.0', canary: { version: '1.1.0', percent: 5 } };
const together = { live: '1.0.0', canary: { ...canary.canary, together: 'mf-header@1.1.0 mf-leads@1.1.0' } };
const before: State = { shell: live, 'mf-header': live, 'mf-leads': live };
const all = { live: '1.0.0', previous: '0.9.0', canary: canary.canary };

/** Its name, the versions of the shell, mf-header and mf-leads in it, and what is pictured. */
function describePage({ name, beside, shown, pictured }: PlannedPage): string {
  const versions = versionsIn(shown).map(({ version }) => version);
  const canaries = beside ? ` beside ${nameVersions(versionsByPart(beside))}` : '';
  return `${name}${canaries}: ${versions.join(' ')}, ${pictured.join(' ')}`;
}

for (const [what, was, change, shells, pages] of [
  ['a remote', before, { 'mf-leads': next }, ['1.0.0'], ['mf-leads 1.1.0: 1.0.0 1.0.0 1.1.0, mf-leads']],
  [
    'a remote with a canary of its own',
    before,
    { 'mf-leads': { live: '1.1.0', canary: { version: '1.2.0', percent: 5 } } },
    ['1.0.0'],
    ['mf-leads 1.1.0: 1.0.0 1.0.0 1.1.0, mf-leads', 'mf-leads 1.2.0: 1.0.0 1.0.0 1.2.0, mf-leads'],
  ],
  [
    'a canary of two remotes, on one page',
    before,
    { 'mf-header': together, 'mf-leads': together },
    ['1.0.0'],
    ['mf-header 1.1.0 with mf-leads 1.1.0: 1.0.0 1.1.0 1.1.0, mf-header mf-leads'],
  ],
  [
    'a remote, once more beside each canary of other parts, without pictures',
    { shell: canary, 'mf-header': canary, 'mf-leads': live },
    { 'mf-leads': next },
    ['1.0.0', '1.1.0'],
    [
      'mf-leads 1.1.0: 1.0.0 1.0.0 1.1.0, mf-leads',
      'mf-leads 1.1.0 beside shell 1.1.0: 1.1.0 1.0.0 1.1.0, ',
      'mf-leads 1.1.0 beside mf-header 1.1.0: 1.0.0 1.1.0 1.1.0, ',
    ],
  ],
  [
    'a new shell, with all versions of remotes, and pictures of the live ones',
    { ...before, 'mf-leads': all },
    { shell: next },
    ['1.1.0'],
    [
      'shell 1.1.0: 1.1.0 1.0.0 1.0.0, mf-header mf-leads',
      'shell 1.1.0: 1.1.0 1.0.0 0.9.0, ',
      'shell 1.1.0: 1.1.0 1.0.0 1.1.0, ',
    ],
  ],
  [
    'a canary of the shell, with all remotes',
    before,
    { shell: canary },
    ['1.1.0'],
    ['shell 1.1.0: 1.1.0 1.0.0 1.0.0, mf-header mf-leads'],
  ],
  [
    'a new shell and a remote, which is opened beside a canary of the shell, too',
    { ...before, shell: { live: '0.9.0', canary: { version: '1.1.0', percent: 5 } } },
    { shell: { live: '1.0.0', canary: { version: '1.1.0', percent: 5 } }, 'mf-leads': next },
    ['1.0.0', '1.1.0'],
    [
      'shell 1.0.0 with mf-leads 1.1.0: 1.0.0 1.0.0 1.1.0, mf-header mf-leads',
      'mf-leads 1.1.0 beside shell 1.1.0: 1.1.0 1.0.0 1.1.0, ',
      'shell 1.0.0: 1.0.0 1.0.0 1.0.0, ',
    ],
  ],
  [
    'two remotes, of which one keeps another canary, beside which the other one is opened',
    { ...before, 'mf-header': canary },
    { 'mf-header': { ...canary, live: '1.2.0' }, 'mf-leads': next },
    ['1.0.0'],
    [
      'mf-header 1.2.0 with mf-leads 1.1.0: 1.0.0 1.2.0 1.1.0, mf-header mf-leads',
      'mf-leads 1.1.0 beside mf-header 1.1.0: 1.0.0 1.1.0 1.1.0, ',
    ],
  ],
  [
    'a new shell and a remote, which is opened beside a canary of another one, too',
    { ...before, 'mf-header': canary, 'mf-leads': canary },
    { shell: next, 'mf-header': canary, 'mf-leads': { ...canary, live: '1.2.0' } },
    ['1.1.0'],
    [
      'shell 1.1.0 with mf-leads 1.2.0: 1.1.0 1.0.0 1.2.0, mf-header mf-leads',
      'mf-leads 1.2.0 beside mf-header 1.1.0: 1.1.0 1.1.0 1.2.0, ',
      'shell 1.1.0: 1.1.0 1.1.0 1.1.0, ',
    ],
  ],
  [
    'the first release, as a new shell',
    undefined,
    before,
    ['1.0.0'],
    ['shell 1.0.0: 1.0.0 1.0.0 1.0.0, mf-header mf-leads'],
  ],
  ['the end of a canary', { ...before, 'mf-leads': canary }, { 'mf-leads': live }, ['1.0.0'], []],
] satisfies readonly (readonly [string, State | undefined, State, readonly string[], readonly string[]])[]) {
  test(`planned pages: ${what}`, async () => {
    await using site = await createTemporaryStore();
    await site.publish(builtShell('1.1.0'));
    const liveRelease = was && sampleContent(was);
    const next = sampleContent({ ...was, ...change });
    const candidate = { store: site.store, liveRelease, next, siteConfig: sampleSiteConfig };
    const { shellVersions, opened } = versionsToCheck(candidate);
    assert.deepEqual(shellVersions, shells);
    assert.deepEqual((await planPages(candidate, opened)).map(describePage), pages);
  });
}

test('planned pages: new settings alone, with the versions that visitors get, or beside a canary', async () => {
  await using site = await createTemporaryStore();
  await site.publish(builtShell('1.1.0'));
  const next = sampleContent({ ...before, 'mf-leads': all });
  const liveSiteConfig = { ...sampleSiteConfig, defaultTheme: 'system' } as const;
  const settings = { siteConfig: sampleSiteConfig, liveSiteConfig };
  const candidate = { store: site.store, liveRelease: next, next, ...settings };
  const { remotes, opened } = versionsToCheck(candidate);
  assert.deepEqual(remotes, []);
  assert.deepEqual((await planPages(candidate, opened)).map(describePage), [
    'shell 1.0.0 with the new settings: 1.0.0 1.0.0 1.0.0, ',
    'shell 1.0.0 with the new settings: 1.0.0 1.0.0 1.1.0, ',
  ]);
  const releases = { liveRelease: sampleContent(before), next: sampleContent({ ...before, shell: canary }) };
  const pages = await planPages(
    { ...candidate, ...releases },
    versionsToCheck({ ...candidate, ...releases }).opened,
  );
  assert.deepEqual(pages.map(describePage), [
    'shell 1.1.0: 1.1.0 1.0.0 1.0.0, mf-header mf-leads',
    'shell 1.0.0 with the new settings: 1.0.0 1.0.0 1.0.0, ',
  ]);
});

test('passed sets: live version, part and compared looks tell sets apart', () => {
  const shown = withLiveOnly(
    sampleContent({ shell: live, 'mf-leads': live, 'mf-pricing': { live: '1.0.5' } }),
  );
  const page = { part: 'mf-pricing', remotes: new Map([['mf-pricing', '1.0.5']] as const), shown } as const;
  const [first, other, same] = (['1.0.0', '1.1.0', '1.0.0'] as const).map((version) => {
    const liveRelease = sampleContent({ shell: live, 'mf-leads': live, 'mf-pricing': { live: version } });
    return passedSetNames({ liveRelease, siteConfig: sampleSiteConfig }, { ...page, pictured: [] });
  });
  assert.deepEqual(first, same);
  assert.notEqual(first?.full, other?.full);
  assert.equal(first?.prefix, other?.prefix);
  assert(first?.full.startsWith(first.prefix));
  const ofLive = { liveRelease: undefined, siteConfig: sampleSiteConfig };
  const [alone, withLooks, ofLeads] = [
    { ...page, pictured: [] },
    { ...page, pictured: ['mf-pricing'] },
    { ...page, part: 'mf-leads', remotes: new Map([['mf-leads', '1.0.0']] as const), pictured: [] } as const,
  ].map((each) => passedSetNames(ofLive, each));
  assert.notEqual(alone?.full, withLooks?.full);
  assert.equal(alone?.prefix, withLooks?.prefix);
  assert.notEqual(alone?.prefix, ofLeads?.prefix);
});
