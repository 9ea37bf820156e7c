import { render } from '@testing-library/react';
import { SigningIllustration } from './signing-illustration.tsx';

test('illustration: hidden from assistive technology', () => {
  const { container } = render(<SigningIllustration />);
  expect(container.children).toHaveLength(1);
  expect(container.firstElementChild).toHaveAttribute('aria-hidden', 'true');
  expect(container.querySelector('a, button, input, [tabindex]')).toBeNull();
});
