export type FeatureName =
  | 'forms'
  | 'signatures'
  | 'vault'
  | 'sharing'
  | 'collections'
  | 'one-click'
  | 'api'
  | 'collaboration'
  | 'insights'
  | 'signers'
  | 'security';

export interface Feature {
  readonly name: FeatureName;
  readonly title: string;
  readonly text: string;
  /** Names of its capabilities. */
  readonly parts?: readonly string[];
}

export const features: readonly Feature[] = [
  {
    name: 'forms',
    title: 'Smart form creation',
    text: 'Put a form together field by field. What depends on an answer stays out of sight until that answer is given.',
    parts: ['Drag and drop builder', 'Conditional fields'],
  },
  {
    name: 'signatures',
    title: 'Digital signatures with audit trails',
    text: 'Who opened it, who signed it and when: each step is written down as it happens and stays with the document.',
  },
  {
    name: 'vault',
    title: 'Centralised secure vault',
    text: 'One place for everything that is signed. You decide who gets in, and see who has been.',
    parts: ['Access controls', 'Tracking'],
  },
  {
    name: 'sharing',
    title: 'Secure sharing',
    text: 'Send a link instead of a copy. It opens for the people you meant, for as long as you allow.',
    parts: ['Password protection', 'Expiration dates', 'View tracking'],
  },
  {
    name: 'collections',
    title: 'Document collections',
    text: 'The contract, its annexes and the form that started it all, kept and sent as one set.',
  },
  {
    name: 'one-click',
    title: 'One-click sharing',
    text: 'Smart permissions follow each role, and automated notifications reach each reader.',
  },
  {
    name: 'api',
    title: 'An API for your own software',
    text: 'Create documents, name signers and hear about every signature without opening a browser.',
    parts: ['RESTful', 'Webhooks', 'SDK', 'Direct API tier'],
  },
  {
    name: 'collaboration',
    title: 'Team collaboration',
    text: 'Work on one draft instead of five copies, and settle the wording beside the clause it is about.',
    parts: ['Role-based access', 'Real-time updates', 'Comments'],
  },
  {
    name: 'insights',
    title: 'Data-driven productivity insights',
    text: 'See where documents wait, for how long, and which of your templates get signed soonest.',
  },
  {
    name: 'signers',
    title: 'Unlimited signers',
    text: 'Two people or two hundred: a document goes to everyone who has to put their name to it.',
  },
  {
    name: 'security',
    title: 'Enterprise security',
    text: 'Encrypted connections, certified processes and access by role, from the first document on.',
  },
];
