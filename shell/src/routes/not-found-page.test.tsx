import { brand } from '@countersign/contracts/brand';
import { render, screen, within } from '@testing-library/react';
import { NotFoundPage } from './not-found-page.tsx';

beforeEach(() => {
  history.replaceState(null, '', '/pricing/old?from=mail');
  render(<NotFoundPage />);
});

test('an unknown address says so in its title, with a hint for developers', () => {
  const main = within(screen.getByRole('main'));
  expect(main.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeInTheDocument();
  expect(main.getByText('Did you forget to add the page to the router?')).toBeInTheDocument();
});

test('the visitor sees which path was asked for', () => {
  expect(screen.getByText('/pricing/old')).toBeInTheDocument();
});

test('a link leads back to the landing page', () => {
  expect(screen.getByRole('link', { name: `Back to ${brand}` })).toHaveAttribute('href', '/');
});
