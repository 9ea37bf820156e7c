import { freePlan, paidPlans } from './plans.ts';

/** Columns of the table, cheapest first. */
export const limitedPlans = [freePlan, ...paidPlans];

type Value = string | boolean;

export interface Limit {
  readonly label: string;
  /** Explanation of the label for the tooltip. */
  readonly explanation?: string;
  /** Shown on the plan's card as well, because it distinguishes the plans. */
  readonly onCard?: true;
  readonly values: readonly [free: Value, poweredUser: Value, teamLeader: Value, enterprise: Value];
}

export const limits: readonly Limit[] = [
  {
    label: 'Sign requests per month',
    explanation: 'How many times in a month you can send something out to be signed.',
    onCard: true,
    values: ['3', '10', '50', 'Unlimited'],
  },
  { label: 'Unlimited shares per month', values: [true, true, true, true] },
  {
    label: 'Max storage per collection',
    explanation: 'The room for all documents in one collection taken together.',
    values: ['10MB', '20MB', '20MB', '50MB'],
  },
  {
    label: 'Max storage overall',
    explanation: 'The room for all your collections taken together.',
    onCard: true,
    values: ['50MB', '200MB', '2GB', 'Unlimited'],
  },
  {
    label: 'Signees per collection',
    explanation: 'How many people you can ask to sign the documents of one collection.',
    onCard: true,
    values: ['1', '1', 'Multiple', 'Unlimited'],
  },
  {
    label: 'Secure sharing',
    explanation: 'Links with a password and an expiration date, and a record of every view.',
    values: [true, true, true, true],
  },
  {
    label: 'Templating',
    explanation: 'Prepare a document once, then send it as often as you need it.',
    values: ['Basic', 'Advanced', 'Advanced', 'Advanced'],
  },
  {
    label: 'Multiparty signature',
    explanation:
      'Several people sign one document in the order you set. Each is notified when it is their turn.',
    values: [false, false, true, true],
  },
  { label: 'Priority support', values: [false, false, true, true] },
];
