import { render, screen, within } from '@testing-library/react';
import MultiPartySigning from './multi-party-signing.tsx';

test('multi-party signing: the sample document is in progress', () => {
  render(<MultiPartySigning />);
  const sample = within(screen.getByRole('figure'));
  expect(sample.getByText(/sample document/)).toBeVisible();
  expect(sample.getByText('Supply agreement.pdf')).toBeVisible();
  expect(sample.getByText('In Progress')).toBeVisible();
  expect(sample.getByText('1 of 3 signed')).toBeVisible();
});

test.each([
  ['Amara Osei', 'Supplier', 'Signed'],
  ['Jonas Berg', 'Buyer', 'Pending'],
  ['Priya Raman', 'Legal', 'Waiting'],
])('signers: %s signs as %s, with the status %s', (name, role, status) => {
  render(<MultiPartySigning />);
  const signers = within(screen.getByRole('list', { name: 'Signing order' })).getAllByRole('listitem');
  const signer = signers.find((item) => within(item).queryByText(name));
  if (!signer) throw new Error(`${name} is not among the signers.`);
  expect(within(signer).getByText(role)).toBeVisible();
  expect(within(signer).getByText(status)).toBeVisible();
});

test('multi-party signing: assistive technology reads the signers, not the drawing', () => {
  render(<MultiPartySigning />);
  const isHidden = (text: string) => screen.getByText(text).closest('[aria-hidden="true"]') !== null;
  expect(isHidden('Sign here')).toBe(true);
  expect(isHidden('Pending')).toBe(false);
});
