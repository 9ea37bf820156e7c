import { render, screen } from '@testing-library/react';
import Features from './features.tsx';

test('drawings: hidden from assistive technology, and not focusable', () => {
  const { container } = render(<Features />);
  expect(screen.getByText('Joining us as').closest('[aria-hidden="true"]')).not.toBeNull();
  expect(screen.getByText('SHA-256 9f3a 1c07').closest('[aria-hidden="true"]')).not.toBeNull();
  expect(container.querySelector('[aria-hidden="true"] :is(a, button, input, [tabindex])')).toBeNull();
});
