export type SignerStatus = 'Signed' | 'Pending' | 'Waiting';

export interface SampleSigner {
  readonly name: string;
  readonly initials: string;
  readonly role: string;
  readonly status: SignerStatus;
  /** Latest event of this signer. */
  readonly activity: string;
}

/** Sample data: the first signer has signed, the second was asked, the third comes later. */
export const sampleSigners: readonly SampleSigner[] = [
  {
    name: 'Amara Osei',
    initials: 'AO',
    role: 'Supplier',
    status: 'Signed',
    activity: 'Signed Tuesday, 10:47',
  },
  {
    name: 'Jonas Berg',
    initials: 'JB',
    role: 'Buyer',
    status: 'Pending',
    activity: 'Link sent Tuesday, 10:47',
  },
  {
    name: 'Priya Raman',
    initials: 'PR',
    role: 'Legal',
    status: 'Waiting',
    activity: 'Asked after Jonas Berg',
  },
];

export const signedCount = sampleSigners.filter(({ status }) => status === 'Signed').length;
