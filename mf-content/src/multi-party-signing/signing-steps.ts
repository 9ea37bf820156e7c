interface SigningStep {
  readonly title: string;
  readonly text: string;
}

export const signingSteps: readonly SigningStep[] = [
  {
    title: 'Upload the document',
    text: 'Use a finished file or one of your templates, and mark where each signature goes.',
  },
  {
    title: 'Add signers and their order',
    text: 'Add people, give each of them a role, and set who signs before whom.',
  },
  {
    title: 'Notify by email',
    text: 'The first signer receives an email with a secure link. Nobody else is contacted yet.',
  },
  {
    title: 'Sign in order',
    text: 'When one person has signed, the next is notified. Everyone involved can follow the progress.',
  },
  {
    title: 'Complete',
    text: 'After the last signature, everyone receives the final document with its audit trail.',
  },
];
