import { render, screen } from '@testing-library/react';
import { SigningIllustration } from './signing-illustration.tsx';

test('illustration: a document in progress, with one signer in each state', () => {
  render(<SigningIllustration />);
  for (const text of ['In Progress', 'Signed', 'Pending', 'Waiting']) {
    expect(screen.getByText(text)).toBeVisible();
  }
});

test('illustration: the number of signatures matches the signers', () => {
  render(<SigningIllustration />);
  expect(screen.getByText('1 of 3')).toBeVisible();
});

test('illustration: hidden from assistive technology', () => {
  const { container } = render(<SigningIllustration />);
  expect(container.children).toHaveLength(1);
  expect(container.firstElementChild).toHaveAttribute('aria-hidden', 'true');
  expect(container.querySelector('a, button, input, [tabindex]')).toBeNull();
});
