import { isIP } from 'node:net';
import * as z from 'zod';

/**
 * Schema of an environment variable, which `parse` converts. If `parse` returns `undefined`, the operator reads the name of the
 * variable and the `mistake`, which must not quote the text where it may be a secret.
 */
export function parsed<Value>(
  parse: (text: string) => Value | undefined,
  mistake: string | ((text: string) => string),
) {
  return z.string().transform((text, { issues }): Value => {
    const value = parse(text);
    if (value !== undefined) return value;
    const message = typeof mistake === 'string' ? mistake : mistake(text);
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

export const port = () => wholeNumber(0, 65_535);

/** An IP address or a host name to listen on. */
export const host = () =>
  parsed(
    (value) => (isIP(value) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(value) ? value : undefined),
    (value) => `must be an IP address or a host name such as 127.0.0.1, but is "${value}".`,
  );

/** A message for the operator with all errors of an environment. Entries of a list are counted from 1. */
export function mistakesIn({ issues }: z.ZodError): string {
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
