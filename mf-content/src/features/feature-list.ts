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

/** In display order. `feature-card.module.css` arranges cards by their number, so that those of each row fit together. */
// blind spot (… →): prose, of which a journey sees one as an example.
export const features: readonly Feature[] = [
  {
    name: 'forms',
    title: 'Smart form creation',
    text: 'Build a form field by field. Conditional fields stay hidden until an answer calls for them.',
    parts: ['Drag and drop builder', 'Conditional fields'],
  },
  {
    name: 'signatures',
    title: 'Digital signatures with audit trails',
    text: 'Who opened it, who signed it and when: every step is recorded as it happens and stays with the document.',
  },
  {
    name: 'vault',
    title: 'Centralised secure vault',
    text: 'One place for everything you sign. You decide who has access, and see who has used it.',
    parts: ['Access controls', 'Tracking'],
  },
  {
    name: 'sharing',
    title: 'Secure sharing',
    text: 'Send a link instead of an attachment. It opens for the people you choose, for as long as you allow.',
    parts: ['Password protection', 'Expiration dates', 'View tracking'],
  },
  {
    name: 'collections',
    title: 'Document collections',
    text: 'Keep a contract, its annexes and the forms behind it together, and send them as one set.',
  },
  {
    name: 'one-click',
    title: 'One-click sharing',
    text: 'Smart permissions match each role, and automated notifications reach every recipient.',
  },
  {
    name: 'signers',
    title: 'Unlimited signers',
    text: 'Two people or two hundred: everyone who needs to sign gets their turn.',
  },
  {
    name: 'api',
    title: 'An API for your own software',
    text: 'Create documents, add signers and hear about every signature without opening a browser.',
    parts: ['RESTful', 'Webhooks', 'SDK', 'Direct API tier'],
  },
  {
    name: 'collaboration',
    title: 'Team collaboration',
    text: 'Work on one draft instead of five copies, and agree on the wording right beside the clause.',
    parts: ['Role-based access', 'Real-time updates', 'Comments'],
  },
  {
    name: 'insights',
    title: 'Data-driven productivity insights',
    text: 'See where documents get stuck, for how long, and which templates are signed fastest.',
  },
  {
    name: 'security',
    title: 'Enterprise security',
    text: 'Encrypted connections, certified processes and role-based access, from your first document.',
  },
];
