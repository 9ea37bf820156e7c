import { partNames } from '@countersign/contracts/remotes';
import * as z from 'zod';

/** How an option is written and explained. Its key names it: `looksChanged` is `--looks-changed`. */
interface OptionDetails {
  readonly description: string;
  /** What follows it, such as `<reason>`; nothing follows a switch. */
  readonly placeholder?: string;
  readonly choices?: readonly string[];
  /** The release server refuses a larger number. */
  readonly maxOnServer?: number;
  /** Whether it overrides a refusal. It then needs `--why`, and only owners of the shell may use it. */
  readonly isOverride?: boolean;
}

const details = z.registry<OptionDetails>();

/** What is known of an option beside its values; `undefined` for an argument. */
export function detailsOf(schema: z.ZodType): OptionDetails | undefined {
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
  return details.get(isWrapped ? schema.unwrap() : schema);
}

/** How an option is written: `--looks-changed`. */
export function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The argument that names a part. */
export const partArgument = z.enum(partNames, {
  error: ({ input }) => `Unknown part "${String(input)}". Known parts: ${partNames.join(', ')}.`,
});

export function switchOption(description: string, isOverride = false) {
  return z.boolean().register(details, { description, isOverride }).optional();
}

export function textOption(placeholder: string, description: string) {
  return z.string().register(details, { placeholder, description });
}

/** An option with one or more of these words. */
export function choiceOption<const Word extends string>(
  placeholder: string,
  description: string,
  choices: readonly Word[],
) {
  return z.array(z.enum(choices)).register(details, { placeholder, description, choices });
}

/** Maximum of every number. As seconds, it is within the range of timers, 2^31 milliseconds. */
const maxNumber = 1_000_000;

interface NumberLimits {
  /** What the number must be. */
  readonly meaning?: string;
  readonly isValid?: (number: number) => boolean;
  readonly maxOnServer?: number;
}

/** An option with a number up to a million, which may have decimals. */
export function numberOption(
  placeholder: string,
  description: string,
  { meaning = 'a number above 0', isValid = (number) => number > 0, maxOnServer }: NumberLimits = {},
) {
  const parse = (text: string) => {
    const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (number > maxNumber) return { mistake: `must be at most ${maxNumber}.` };
    return isValid(number) ? { value: number } : { mistake: `must be ${meaning}, but is "${text}".` };
  };
  return parsedText(parse).register(details, {
    placeholder,
    description,
    ...(maxOnServer !== undefined && { maxOnServer }),
  });
}

/** With a zone, because a release server may be in another one. `Date.parse` alone takes 31 November as 1 December. */
const timeWithZone = z.union([
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
]);

/** An option with a time to come, in ISO 8601. Its value is in UTC. */
export function timeOption(placeholder: string, description: string) {
  const parse = (text: string) => {
    const time = Date.parse(timeWithZone.safeParse(text).data ?? '');
    if (time > Date.now()) return { value: new Date(time).toISOString() };
    return {
      mistake: `must be a time to come with its zone, such as 2026-12-01T08:00Z, but is "${text}".`,
    };
  };
  return parsedText(parse).register(details, { placeholder, description });
}

function parsedText<Value>(
  parse: (text: string) => { readonly value: Value } | { readonly mistake: string },
) {
  return z.string().transform((text, { issues }) => {
    const parsed = parse(text);
    if ('value' in parsed) return parsed.value;
    issues.push({ code: 'custom', message: parsed.mistake, input: text });
    return z.NEVER;
  });
}
