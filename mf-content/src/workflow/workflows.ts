export interface WorkflowStep {
  readonly title: string;
  readonly text: string;
}

export interface Workflow {
  readonly title: string;
  readonly audience: string;
  readonly text: string;
  readonly steps: readonly WorkflowStep[];
}

// blind spot (… →, .' →): prose, of which journeys see examples.
export const templateWorkflow: Workflow = {
  title: 'Template workflow',
  audience: 'For organisations',
  text: 'For the documents you send again and again: contracts, policies, onboarding forms.',
  steps: [
    {
      title: 'Create templates',
      text: 'Set the wording, fields and rules once. Every copy starts from the approved version.',
    },
    {
      title: 'Send to employees',
      text: 'Choose the recipients. Notifications go out, and deadlines keep things moving.',
    },
    {
      title: 'Review and approve',
      text: 'Review everything in one place. Every decision is kept in the audit trail.',
    },
  ],
};

// blind spot (… →, .' →): prose, of which journeys see examples.
export const apiWorkflow: Workflow = {
  title: 'API-first flow',
  audience: 'For developers',
  text: 'Your software sends documents out and hears back. Nobody has to switch tools.',
  steps: [
    {
      title: 'Create a document',
      text: 'One request names the template, the signers and their order.',
    },
    {
      title: 'Choose the storage',
      text: 'Keep files in our cloud storage, or in your own storage.',
    },
    {
      title: 'Receive webhook updates',
      text: 'Your server hears about every step as it happens, without polling.',
    },
  ],
};

// blind spot (… →, .' →): prose, of which journeys see examples.
export const sequentialWorkflow: Workflow = {
  title: 'Multi-party sequential signing',
  audience: 'For agreements between several parties',
  text: 'For documents that people have to sign in a fixed order.',
  steps: [
    { title: 'Upload', text: 'Use a finished file or a template, and mark where each signature goes.' },
    { title: 'Add signers', text: 'Give each of them a role, and set the signing order.' },
    { title: 'Notify', text: 'Email notifications with secure links go to one signer at a time.' },
    {
      title: 'Sign in order',
      text: 'When one has signed, the next is notified. Progress tracking shows whose turn it is.',
    },
    { title: 'Complete', text: 'Everyone receives the final document with its audit trail.' },
  ],
};
