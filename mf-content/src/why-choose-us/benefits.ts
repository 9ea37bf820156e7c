import { brand } from '@countersign/contracts/brand';

export interface Measurement {
  readonly label: string;
  readonly value: number;
  /** Displayed value with its unit. */
  readonly text: string;
}

export interface Benefit {
  readonly title: string;
  /** Result of the comparison. */
  readonly result: string;
  readonly text: string;
  readonly before: Measurement;
  readonly after: Measurement;
  /** Value of a full-length bar. */
  readonly scale: number;
  /** Number of equal divisions of the bars. */
  readonly parts?: number;
}

// blind spot (… →): prose, of which a journey sees one as an example.
// blind spot (→ 1, → 2, → 3, → 4): cosmetic, the lengths of bars.
export const benefits: readonly Benefit[] = [
  {
    title: 'Time to revenue',
    result: '80% faster',
    text: 'Work can start, and the first invoice can go out, as soon as the last person has signed.',
    before: { label: `Without ${brand}`, value: 15, text: '15 days average' },
    after: { label: `With ${brand}`, value: 3, text: '3 days' },
    scale: 15,
    parts: 15,
  },
  {
    title: 'Monthly cost',
    result: 'Savings $2,101',
    text: 'Printing, postage, filing and reminders look small one by one. Added up, they are not.',
    before: { label: 'Traditional', value: 2400, text: '$2,400' },
    after: { label: `With ${brand}`, value: 299, text: '$299' },
    scale: 2400,
  },
  {
    title: 'Convenience score',
    result: '6.2 points ahead',
    text: 'No attachment to print, scan and send back, and no doubt about which version is the latest.',
    before: { label: 'Email', value: 3.2, text: '3.2/10' },
    after: { label: brand, value: 9.4, text: '9.4/10' },
    scale: 10,
    parts: 10,
  },
];
