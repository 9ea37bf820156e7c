import { render, screen } from '@testing-library/react';
import TrustIndicators from './trust-indicators.tsx';

test('certification marks: decorative, because they are no logos of institutions', () => {
  render(<TrustIndicators />);
  expect(screen.queryByRole('img')).not.toBeInTheDocument();
});
