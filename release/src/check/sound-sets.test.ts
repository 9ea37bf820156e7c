import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withLiveOnly } from '../store/versions.ts';
import { sampleContent } from '../testing/sample-content.ts';
import { sampleSiteConfig } from '../testing/temporary-store.ts';
import { nameSet } from './sound-sets.ts';

test('sound sets: a page is another one beside another live version, for another part, and with looks', () => {
  const live = { live: '1.0.0' };
  const shown = withLiveOnly(
    sampleContent({ shell: live, 'mf-leads': live, 'mf-pricing': { live: '1.0.5' } }),
  );
  const page = { part: 'mf-pricing', remotes: new Map([['mf-pricing', '1.0.5']] as const), shown } as const;
  const [first, other, same] = (['1.0.0', '1.1.0', '1.0.0'] as const).map((version) => {
    const liveRelease = sampleContent({ shell: live, 'mf-leads': live, 'mf-pricing': { live: version } });
    return nameSet({ liveRelease, siteConfig: sampleSiteConfig }, { ...page, pictured: [] });
  });
  assert.deepEqual(first, same);
  assert.notEqual(first?.compared, other?.compared);
  assert.equal(first?.anyComparison, other?.anyComparison);
  assert(first?.compared.startsWith(first.anyComparison));
  const ofLive = { liveRelease: undefined, siteConfig: sampleSiteConfig };
  const [alone, withLooks, ofLeads] = [
    { ...page, pictured: [] },
    { ...page, pictured: ['mf-pricing'] },
    { ...page, part: 'mf-leads', remotes: new Map([['mf-leads', '1.0.0']] as const), pictured: [] } as const,
  ].map((each) => nameSet(ofLive, each));
  assert.notEqual(alone?.compared, withLooks?.compared);
  assert.equal(alone?.anyComparison, withLooks?.anyComparison);
  assert.notEqual(alone?.anyComparison, ofLeads?.anyComparison);
});
