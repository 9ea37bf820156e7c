import { render, screen, within } from '@testing-library/react';
import Features from './features.tsx';

function card(name: string): HTMLElement {
  const item = screen.getByRole('heading', { level: 3, name }).closest('li');
  if (!item) throw new Error(`${name} is not in the list of features.`);
  return item;
}

test('features: every feature has a heading', () => {
  render(<Features />);
  expect(screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)).toEqual([
    'Smart form creation',
    'Digital signatures with audit trails',
    'Centralised secure vault',
    'Secure sharing',
    'Document collections',
    'One-click sharing',
    'Unlimited signers',
    'An API for your own software',
    'Team collaboration',
    'Data-driven productivity insights',
    'Enterprise security',
  ]);
});

test.each([
  ['Smart form creation', ['Drag and drop builder', 'Conditional fields']],
  ['Centralised secure vault', ['Access controls', 'Tracking']],
  ['Secure sharing', ['Password protection', 'Expiration dates', 'View tracking']],
  ['An API for your own software', ['RESTful', 'Webhooks', 'SDK', 'Direct API tier']],
  ['Team collaboration', ['Role-based access', 'Real-time updates', 'Comments']],
])('features: %s lists its parts', (name, parts) => {
  render(<Features />);
  const list = within(within(card(name)).getByRole('list', { name }));
  expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual(parts);
});

test('features: one-click sharing has smart permissions and automated notifications', () => {
  render(<Features />);
  expect(card('One-click sharing')).toHaveTextContent(/smart permissions .* automated notifications/i);
});

test('drawings: hidden from assistive technology, and not focusable', () => {
  const { container } = render(<Features />);
  expect(screen.getByText('Joining us as').closest('[aria-hidden="true"]')).not.toBeNull();
  expect(screen.getByText('SHA-256 9f3a 1c07').closest('[aria-hidden="true"]')).not.toBeNull();
  expect(container.querySelector('[aria-hidden="true"] :is(a, button, input, [tabindex])')).toBeNull();
});
