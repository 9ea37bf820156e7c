export type SignerStatus = 'Signed' | 'Pending' | 'Waiting';

/** Status → the status before it, with which the animation in the hero starts. */
// blind spot: cosmetic, how a drawing begins.
export const previousStatus: Readonly<Partial<Record<SignerStatus, SignerStatus>>> = {
  Signed: 'Pending',
  Pending: 'Waiting',
};

export interface SampleSigner {
  readonly name: string;
  readonly initials: string;
  readonly role: string;
  readonly status: SignerStatus;
  /** Latest event of this signer. */
  readonly activity: string;
}

/** Sample data: the first signer has signed, the second was notified, the third comes later. */
// blind spot ('AO', 'JB', 'PR'): cosmetic, a picture of the person.
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
    activity: 'Notified after Jonas Berg',
  },
];

export const signedCount = sampleSigners.filter(({ status }) => status === 'Signed').length;
