import { render, screen, within } from '@testing-library/react';
import TrustIndicators from './trust-indicators.tsx';

test('the section is named by how many organisations trust the product', () => {
  render(<TrustIndicators />);
  const title = 'Trusted by 50,000+ organisations';
  const region = within(screen.getByRole('region', { name: title }));
  expect(region.getByRole('heading', { level: 2, name: title })).toBeVisible();
});

test('each certification stands in the list, by name', () => {
  render(<TrustIndicators />);
  const items = within(screen.getByRole('list')).getAllByRole('listitem');
  expect(items.map((item) => item.querySelector('p')?.textContent)).toEqual([
    'SOC 2',
    'ISO 27001',
    'GDPR',
    '256-bit SSL',
  ]);
});

test('the marks are decoration: no image claims to be an institution’s', () => {
  render(<TrustIndicators />);
  expect(screen.queryByRole('img')).not.toBeInTheDocument();
});
