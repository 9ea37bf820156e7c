/** A figure with the words around it. */
export interface Saving {
  readonly before?: string;
  readonly figure: string;
  readonly after?: string;
  /** Percent of the former amount that is left, where the figure is a reduction. */
  readonly left?: number;
}

export const savings: readonly Saving[] = [
  { before: 'Carbon footprint', figure: '-89%', left: 11 },
  { figure: '94%', after: 'less paper', left: 6 },
  { figure: '2,847', after: 'trees saved annually' },
  { figure: '12.3 tons', after: 'CO2 prevented' },
];
