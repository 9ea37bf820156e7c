import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { render, screen } from '@testing-library/react';
import Pricing from './pricing.tsx';

test('pricing: the section has a heading and leads to the login page', () => {
  const shell = createShellStub();
  render(<Pricing shell={shell} />);
  expect(screen.getByRole('region', { name: 'Our Prices' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute(
    'href',
    `${shell.page.appHost}/login`,
  );
});
