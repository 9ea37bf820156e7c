import { shownParts } from './shown-parts.ts';

test('shown parts: are the shell and the running or prerendered version of each slot, once', () => {
  document.body.innerHTML = `
    <div data-remote="mf-content" data-exposed="./hero" data-prerendered="1.0.0" data-version="1.0.0"></div>
    <div data-remote="mf-content" data-exposed="./footer" data-prerendered="1.0.0"></div>
    <div data-remote="mf-pricing" data-exposed="./pricing" data-prerendered="1.1.0" data-version="0.9.0"></div>
    <div data-remote="mf-leads" data-exposed="./call-to-action"></div>
    <div data-remote="mf-other" data-exposed="./other" data-version="1.0.0"></div>`;
  const stable = { 'mf-header': 'stable', 'mf-content': 'stable', 'mf-leads': 'stable' } as const;
  expect(shownParts(document.body, '2.0.0', { ...stable, 'mf-pricing': 'canary' })).toEqual([
    { part: 'shell', version: '2.0.0', group: 'stable' },
    { part: 'mf-content', version: '1.0.0', group: 'stable' },
    { part: 'mf-pricing', version: '0.9.0', group: 'canary' },
  ]);
});
