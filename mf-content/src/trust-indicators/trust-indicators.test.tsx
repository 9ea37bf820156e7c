import { render, screen, within } from '@testing-library/react';
import TrustIndicators from './trust-indicators.tsx';

test('trust indicators: the heading contains the number of organisations', () => {
  render(<TrustIndicators />);
  const title = 'Trusted by 50,000+ organisations';
  const region = within(screen.getByRole('region', { name: title }));
  expect(region.getByRole('heading', { level: 2, name: title })).toBeVisible();
});

test('trust indicators: the list names each certification', () => {
  render(<TrustIndicators />);
  const items = within(screen.getByRole('list', { name: 'Certifications and protection' })).getAllByRole(
    'listitem',
  );
  expect(items.map((item) => item.querySelector('p')?.textContent)).toEqual([
    'SOC 2',
    'ISO 27001',
    'GDPR',
    '256-bit SSL',
  ]);
});

test('trust indicators: results are figures with their meaning', () => {
  render(<TrustIndicators />);
  const results = within(screen.getByRole('list', { name: 'Results' })).getAllByRole('listitem');
  expect(results.map((result) => result.textContent)).toEqual([
    '3 days to revenue, instead of 15 on average',
    '156 hours saved per month',
    '94% less paper',
  ]);
});

test('certification marks: decorative, because they are no logos of institutions', () => {
  render(<TrustIndicators />);
  expect(screen.queryByRole('img')).not.toBeInTheDocument();
});
