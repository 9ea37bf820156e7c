import { maxLengths, type LeadFields } from '@countersign/contracts/lead';
import type { LeadDraft } from './draft.ts';

/** Texts beside fields whose input comes near its maximum length, or exceeds it. */
export type LengthHints = Readonly<Partial<Record<keyof LeadFields, string>>>;

/** The text changes only at these lengths, because screen readers announce each change. */
const steps = [0, 10, 20, 50, 100, 200, 500, 1000];

export function lengthHints(draft: LeadDraft): LengthHints {
  const limits = Object.entries(maxLengths) as [keyof typeof maxLengths, number][];
  return Object.fromEntries(
    limits.flatMap(([name, maxLength]) => {
      const hint = lengthHint([...draft[name].trim()].length, maxLength);
      return hint === undefined ? [] : [[name, hint]];
    }),
  );
}

function lengthHint(length: number, maxLength: number): string | undefined {
  const left = maxLength - length;
  if (left < 0) return `${-left} ${left === -1 ? 'character' : 'characters'} too many`;
  if (left > maxLength / 5) return undefined;
  const step = steps.find((it) => it >= left);
  return step === 0 ? 'No characters left' : `Up to ${step} characters left`;
}
