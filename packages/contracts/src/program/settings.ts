import { isIP } from 'node:net';
import * as z from 'zod';

/**
 * Schema of an environment variable or a command's option, which `parse` converts. If `parse` returns `undefined`, the operator
 * reads its name and the `error`, which must not quote the text where it may be a secret.
 */
export function parsed<Value>(
  parse: (text: string) => Value | undefined,
  error: string | ((text: string) => string),
) {
  return z.string().transform((text, { issues }): Value => {
    const value = parse(text);
    if (value !== undefined) return value;
    const message = typeof error === 'string' ? error : error(text);
    issues.push({ code: 'custom', message, input: text });
    return z.NEVER;
  });
}

/** Text. An empty variable is an error, because a lost secret must not silently change the meaning of a setting. */
export const text = () =>
  parsed((value) => (value.trim() === '' ? undefined : value), 'is empty. Set it, or remove it.');

export const wholeNumber = (min: number, max: number) =>
  parsed(
    (value) => {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
    (value) => `must be a whole number from ${min} to ${max}, but is "${value}".`,
  );

/** The bad ports of the Fetch standard, which browsers and `fetch` refuse to open. */
const blockedPorts: ReadonlySet<number> = new Set([
  ...[
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  ],
  ...[
    109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  ],
  ...[526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049],
  ...[3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080],
]);

/** A port that a browser or `fetch` opens. */
export const port = () =>
  wholeNumber(0, 65_535).refine((number) => !blockedPorts.has(number), {
    error: ({ input }) => `must be another port than ${String(input)}, which browsers refuse to open.`,
  });

/** An IP address or a host name to listen on. */
export const host = () =>
  parsed(
    (value) => (isIP(value) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(value) ? value : undefined),
    (value) => `must be an IP address or a host name such as 127.0.0.1, but is "${value}".`,
  );

/** A message for the operator with all errors of an environment. Entries of a list are counted from 1. */
export function describeIssues({ issues }: z.ZodError): string {
  const placeOf = (key: PropertyKey) => (typeof key === 'number' ? `entry ${key + 1}` : String(key));
  return issues.map(({ path, message }) => [...path.map(placeOf), message].join(' ')).join(' ');
}

/** The list of settings in a Markdown document, which `scripts/write-settings.ts` writes between two comments. */
const list = /(?<=<!-- settings:[^>]*-->\n\n).*?(?=\n\n<!-- end of settings -->)/s;

/** Replaces the list by the settings of a schema: name, default (or instead `.meta({ shown })`), and the text of `.describe()`. */
export function withSettings(document: string, settings: z.ZodObject): string {
  if (!list.test(document)) throw new Error('The document has no place for settings. Mark it with comments.');
  const items = Object.entries<z.ZodType>(settings.shape).map(([name, variable]) => {
    const { description = '', shown } = variable.meta() ?? {};
    const initial: unknown = variable.safeParse(undefined).data;
    const value = typeof initial === 'string' || typeof initial === 'number' ? `\`${initial}\`` : 'none';
    return `- \`${name}\` (${typeof shown === 'string' ? shown : value}): ${description}`;
  });
  return document.replace(list, () => items.join('\n'));
}
