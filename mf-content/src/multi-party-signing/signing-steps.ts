export interface SigningStep {
  readonly title: string;
  readonly text: string;
}

export const signingSteps: readonly SigningStep[] = [
  {
    title: 'Upload the document',
    text: 'A finished file or one of your templates. Mark once where each signature belongs.',
  },
  {
    title: 'Add signers and their order',
    text: 'Name the people, give each a role, and say who comes before whom.',
  },
  {
    title: 'Notify by email',
    text: 'The first signer receives an email with a secure link. The others are not disturbed yet.',
  },
  {
    title: 'Sign in order',
    text: 'When one has signed, the next is notified. Anyone involved can follow the progress.',
  },
  {
    title: 'Complete',
    text: 'After the last signature, everyone receives the final document with its audit trail.',
  },
];
