import type { DeveloperOverride } from '@countersign/contracts/developer-override';
import { render, screen } from '@testing-library/react';
import { OverrideBanner } from './override-banner.tsx';

const integrity = `sha256-${'a'.repeat(43)}=`;

function overrideFrom(url: string): DeveloperOverride {
  const version = {
    version: '1.1.0',
    globalName: 'mf-pricing@1.1.0',
    entry: { url, integrity },
    exposes: {},
  };
  return { site: 'http://localhost', part: 'mf-pricing', version, expires: Date.UTC(2026, 10, 21, 14, 5) };
}

test.each([
  ['http://localhost:4000/entry.js', 'http://localhost:4000'],
  ['/mf-pricing/1.1.0/entry.js', 'the store'],
])('the banner says which part comes from where: %s', (url, place) => {
  render(<OverrideBanner override={overrideFrom(url)} />);
  const banner = screen.getByRole('complementary', { name: 'Developer override' });
  expect(banner).toHaveTextContent(`mf-pricing 1.1.0 comes from ${place}, only in this tab, until`);
  expect(screen.getByRole('button', { name: 'Stop' })).toBeEnabled();
});
