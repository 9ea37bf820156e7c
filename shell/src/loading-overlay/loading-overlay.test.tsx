import { render, screen } from '@testing-library/react';
import { LoadingOverlay } from './loading-overlay.tsx';

test('a visitor who waits is told so, and assistive technology reads it out', () => {
  render(<LoadingOverlay />);
  const status = screen.getByRole('status');
  expect(status).toHaveTextContent('Empowering your documents...');
  expect(status).toHaveTextContent('Loading...');
});

test('the overlay can say what the page waits for', () => {
  render(<LoadingOverlay text="Opening the application..." />);
  expect(screen.getByRole('status')).toHaveTextContent('Opening the application...');
  expect(screen.queryByText('Loading...')).not.toBeInTheDocument();
});
