import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withLiveOnly } from '../store/versions.ts';
import { sampleContent } from '../testing/sample-content.ts';
import { sampleSiteConfig } from '../testing/temporary-store.ts';
import { nameSet } from './sound-sets.ts';

test('sound sets: a page is another one beside another live version of what is checked', () => {
  const live = { live: '1.0.0' };
  const shown = withLiveOnly(
    sampleContent({ shell: live, 'mf-leads': live, 'mf-pricing': { live: '1.0.5' } }),
  );
  const remotes = new Map([['mf-pricing', '1.0.5']] as const);
  const [first, other, same] = (['1.0.0', '1.1.0', '1.0.0'] as const).map((version) => {
    const liveRelease = sampleContent({ shell: live, 'mf-leads': live, 'mf-pricing': { live: version } });
    return nameSet({ liveRelease, siteConfig: sampleSiteConfig }, { part: 'mf-pricing', remotes, shown });
  });
  assert.deepEqual(first, same);
  assert.notEqual(first?.compared, other?.compared);
  assert.equal(first?.anyComparison, other?.anyComparison);
  assert(first?.compared.startsWith(first.anyComparison));
});
