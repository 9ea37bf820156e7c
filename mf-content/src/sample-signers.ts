export type SignerStatus = 'Signed' | 'Pending' | 'Waiting';

export interface SampleSigner {
  readonly name: string;
  readonly initials: string;
  readonly role: string;
  readonly status: SignerStatus;
}

/** The example that the illustration shows: the first has signed, the second has been asked, the third comes after. */
export const sampleSigners: readonly SampleSigner[] = [
  { name: 'Amara Osei', initials: 'AO', role: 'Supplier', status: 'Signed' },
  { name: 'Jonas Berg', initials: 'JB', role: 'Buyer', status: 'Pending' },
  { name: 'Priya Raman', initials: 'PR', role: 'Legal', status: 'Waiting' },
];
