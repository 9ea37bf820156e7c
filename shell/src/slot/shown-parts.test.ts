import { remoteNames } from '@countersign/contracts/remotes';
import type { GroupAssignment } from '../canary/assign-groups.ts';
import { shownAround, shownParts } from './shown-parts.ts';

const groups: GroupAssignment = {
  ...Object.fromEntries(remoteNames.map((remote) => [remote, 'stable'])),
  'mf-pricing': 'canary',
  shell: 'stable',
};

test('shown parts: are the shell and the running or prerendered version of each slot, once', () => {
  document.body.innerHTML = `
    <div data-remote="mf-content" data-exposed="./hero" data-prerendered="1.0.0" data-version="1.0.0"></div>
    <div data-remote="mf-content" data-exposed="./footer" data-prerendered="1.0.0"></div>
    <div data-remote="mf-pricing" data-exposed="./pricing" data-prerendered="1.1.0" data-version="0.9.0"></div>
    <div data-remote="mf-leads" data-exposed="./call-to-action"></div>
    <div data-remote="mf-header" data-exposed="./header" data-version="1.0.0"></div>
    <div data-remote="mf-other" data-exposed="./other" data-version="1.0.0"></div>`;
  // A visitor who cannot be in the canary of mf-header.
  const others = Object.fromEntries(Object.entries(groups).filter(([remote]) => remote !== 'mf-header'));
  expect(shownParts(document.body, '2.0.0', others)).toEqual([
    { part: 'shell', version: '2.0.0', group: 'stable' },
    { part: 'mf-content', version: '1.0.0', group: 'stable' },
    { part: 'mf-pricing', version: '0.9.0', group: 'canary' },
  ]);
});

test('shown parts: what happens in a slot belongs to its version', () => {
  document.body.innerHTML = `
    <div data-remote="mf-pricing" data-exposed="./pricing" data-version="1.1.0"><p>Prices</p></div>
    <p>The end</p>`;
  const [prices, end] = document.querySelectorAll('p');
  const shown = { part: 'mf-pricing', version: '1.1.0', group: 'canary' };
  expect(shownAround(prices, groups)).toEqual(shown);
  expect(shownAround(prices?.firstChild, groups)).toEqual(shown);
  for (const node of [end, null, undefined]) expect(shownAround(node, groups)).toBeUndefined();
});
