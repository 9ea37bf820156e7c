import { partNames, type PartName } from '@countersign/contracts/remotes';
import * as z from 'zod';

/** How an option is written and explained. Its key names it: `looksChanged` is `--looks-changed`. */
interface OptionDetails {
  readonly description: string;
  /** What follows it, such as `<reason>`; nothing follows a switch. */
  readonly placeholder?: string;
  readonly choices?: readonly string[];
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

/** How {@link versionsArgument} is written: it takes all words. */
export const versionsUsage = '<part> <version> [others...]';

/** One or more parts, each with a version after it, as part → version. */
export const versionsArgument = z.array(z.string()).transform((words, { issues }) => {
  const versions: Partial<Record<PartName, string>> = {};
  for (let index = 0; index < words.length; index += 2) {
    const [part, version] = words.slice(index, index + 2);
    const { data: name, error } = partArgument.safeParse(part);
    const mistake = error
      ? error.issues[0]?.message
      : versions[name] !== undefined
        ? `${name} is named twice. Name one version of each part.`
        : version === undefined && `${name} has no version. Name one after it.`;
    if (mistake) issues.push({ code: 'custom', message: mistake, input: words });
    else if (name && version !== undefined) versions[name] = version;
  }
  return versions;
});

export function switchOption(description: string) {
  return z.boolean().register(details, { description }).optional();
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

/** Maximum of numbers. As seconds, it is within the range of timers, 2^31 milliseconds. */
const maxNumber = 1_000_000;

interface NumberLimits {
  /** What the number must be. */
  readonly meaning?: string;
  readonly isValid?: (number: number) => boolean;
}

/** An option with a number up to a million, which may have decimals. */
export function numberOption(
  placeholder: string,
  description: string,
  { meaning = 'a number above 0', isValid = (number) => number > 0 }: NumberLimits = {},
) {
  const parse = (text: string) => {
    const number = numberIn(text);
    if (number > maxNumber) return { mistake: `must be at most ${maxNumber}.` };
    return isValid(number) ? { value: number } : { mistake: `must be ${meaning}, but is "${text}".` };
  };
  return parsedText(parse).register(details, { placeholder, description });
}

/** An option with percentages that rise up to 100. */
export function stagesOption(placeholder: string, description: string) {
  const parse = (text: string) => {
    const stages = text.split(',').map((stage) => numberIn(stage.trim()));
    const isRising = stages.every((percent, index) => percent > (stages[index - 1] ?? 0));
    if (isRising && stages.at(-1) === 100) return { value: stages };
    return {
      mistake: `must be rising percentages that end with 100, such as 5,25,100, but is "${text}".`,
    };
  };
  return parsedText(parse).register(details, { placeholder, description });
}

/** A number without a sign, which may have decimals; `NaN` for other texts. */
const numberIn = (text: string) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN);

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
