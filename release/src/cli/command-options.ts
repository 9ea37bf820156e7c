import { partNames, type PartName } from '@countersign/contracts/remotes';
import { parsed } from '@countersign/contracts/settings';
import * as z from 'zod';

/** How an option is explained. Its key names it: `looksChanged` is `--looks-changed`. */
interface OptionDetails {
  readonly description: string;
  /** The placeholder of its value, such as `<reason>`; nothing follows a switch. */
  readonly placeholder: string;
}

const details = z.registry<OptionDetails>();

/** The details of an option; `undefined` for an argument. */
export const detailsOf = (schema: z.ZodType) => details.get(schema);

/** How an option is written: `--looks-changed`. */
export function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** An option with a value. It is mandatory if its schema takes no `undefined`. */
export function option<Schema extends z.ZodType>(placeholder: string, description: string, schema: Schema) {
  details.add(schema, { placeholder, description });
  return schema;
}

export const switchOption = (description: string) => option('', description, z.boolean().optional());

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
    const message = error
      ? error.issues[0]?.message
      : versions[name] !== undefined
        ? `${name} is named twice. Name one version of each part.`
        : version === undefined && `${name} has no version. Name one after it.`;
    if (message) issues.push({ code: 'custom', message, input: words });
    else if (name && version !== undefined) versions[name] = version;
  }
  return versions;
});

/** As seconds, it is within the range of timers, 2^31 milliseconds. */
export const maxNumber = 1_000_000;

/** A number above 0, which may have decimals. */
export const positiveNumber = (max = maxNumber) =>
  numberThat((value) => value > 0 && value <= max, `above 0 and at most ${max}`);

/** A number from `min` to `max`, which may have decimals. */
export const numberFrom = (min: number, max: number) =>
  numberThat((value) => value >= min && value <= max, `from ${min} to ${max}`);

function numberThat(isInRange: (value: number) => boolean, range: string) {
  return parsed(
    (text) => {
      const value = numberIn(text);
      return isInRange(value) ? value : undefined;
    },
    (text) => `must be a number ${range}, but is "${text}".`,
  );
}

/** Percentages that rise up to 100. */
export const stages = parsed(
  (text) => {
    const percentages = text.split(',').map((stage) => numberIn(stage.trim()));
    const isRising = percentages.every((percent, index) => percent > (percentages[index - 1] ?? 0));
    return isRising && percentages.at(-1) === 100 ? percentages : undefined;
  },
  (text) => `must be rising percentages that end with 100, such as 5,25,100, but is "${text}".`,
);

/** A number without a sign, which may have decimals; `NaN` for other texts. */
const numberIn = (text: string) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN);

/** With a zone, because a release server may be in another one. `Date.parse` alone takes 31 November as 1 December. */
const timeWithZone = z.union([
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
]);

/** A time to come, in ISO 8601. The value is in UTC. */
export const futureTime = parsed(
  (text) => {
    const time = Date.parse(timeWithZone.safeParse(text).data ?? '');
    return time > Date.now() ? new Date(time).toISOString() : undefined;
  },
  (text) => `must be a time to come with its zone, such as 2026-12-01T08:00Z, but is "${text}".`,
);
