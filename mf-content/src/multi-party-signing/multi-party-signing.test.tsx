import { render, screen } from '@testing-library/react';
import MultiPartySigning from './multi-party-signing.tsx';

test('multi-party signing: assistive technology reads the signers, not the drawing', () => {
  render(<MultiPartySigning />);
  const isHidden = (text: string) => screen.getByText(text).closest('[aria-hidden="true"]') !== null;
  expect(isHidden('Sign here')).toBe(true);
  expect(isHidden('Pending')).toBe(false);
});
