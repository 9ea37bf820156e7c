import { render, screen } from '@testing-library/react';
import { SigningIllustration } from './signing-illustration.tsx';

test('the illustration shows a document in progress with one signer in each state', () => {
  render(<SigningIllustration />);
  for (const text of ['In Progress', 'Signed', 'Pending', 'Waiting']) {
    expect(screen.getByText(text)).toBeVisible();
  }
});

test('the count of signatures agrees with the signers', () => {
  render(<SigningIllustration />);
  expect(screen.getByText('1 of 3')).toBeVisible();
});

test('assistive technology passes over the whole illustration', () => {
  const { container } = render(<SigningIllustration />);
  expect(container.children).toHaveLength(1);
  expect(container.firstElementChild).toHaveAttribute('aria-hidden', 'true');
  expect(container.querySelector('a, button, input, [tabindex]')).toBeNull();
});
