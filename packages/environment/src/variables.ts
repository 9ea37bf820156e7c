import { isIP } from 'node:net';

/** How an environment variable is read and documented. */
export interface Variable<Value = unknown> {
  /** What it sets, in Markdown, with its unit. */
  readonly meaning: string;
  /** Value of an absent variable. */
  readonly initial: Value;
  /** Default in Markdown, where it depends on more than this variable. */
  readonly shown?: string | undefined;
  /** Returns undefined if the value is invalid. */
  parse(value: string): Value | undefined;
  /** The error message, for the operator. It must not quote a value that may contain a secret. */
  errorMessage(name: string, value: string): string;
}

/** Variables by name. */
export type Variables<Values = Readonly<Record<string, unknown>>> = {
  readonly [Name in keyof Values]: Variable<Values[Name]>;
};

/** An empty variable is an error, because a lost secret must not silently change the meaning of a setting. */
function emptyMessage(name: string): string {
  return `${name} is empty. Set it, or remove it.`;
}

/** The error message of a variable: the given one, unless the value is empty. */
export function emptyOr(errorMessage: (name: string, value: string) => string) {
  return (name: string, value: string) =>
    value.trim() === '' ? emptyMessage(name) : errorMessage(name, value);
}

interface ParsedText<Value> {
  readonly shown?: string;
  /** Returns undefined if the value is invalid. */
  readonly parse: (value: string) => Value | undefined;
  /** The error message after the name of the variable, for the operator. */
  readonly mistake: string;
}

/** Text, or a value that its reader parses; undefined if the variable is absent. */
export function text<Value>(meaning: string, options: ParsedText<Value>): Variable<Value | undefined>;
export function text(meaning: string, options?: { readonly shown?: string }): Variable<string | undefined>;
export function text(
  meaning: string,
  { shown, parse = nonEmpty, mistake }: Partial<ParsedText<unknown>> = {},
): Variable {
  const errorMessage = mistake === undefined ? emptyMessage : (name: string) => `${name} ${mistake}`;
  return { meaning, initial: undefined, shown, parse, errorMessage };
}

function nonEmpty(value: string): string | undefined {
  return value.trim() === '' ? undefined : value;
}

/** Comma-separated values. */
export function list(meaning: string): Variable<readonly string[]> {
  const split = (value: string) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  return {
    meaning,
    initial: [],
    parse: (value) => (value.trim() === '' ? undefined : split(value)),
    errorMessage: emptyMessage,
  };
}

interface NumberRange<Initial> {
  readonly initial: Initial;
  readonly min: number;
  readonly max: number;
  readonly shown?: string;
}

export function wholeNumber<Initial extends number | undefined>(
  meaning: string,
  { initial, min, max, shown }: NumberRange<Initial>,
): Variable<number | Initial> {
  return {
    meaning,
    initial,
    shown,
    parse(value) {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
    errorMessage: (name, value) => `${name} must be a whole number from ${min} to ${max}, but is "${value}".`,
  };
}

export function port<Initial extends number | undefined>(
  meaning: string,
  initial: Initial,
): Variable<number | Initial> {
  return wholeNumber(meaning, { initial, min: 0, max: 65_535 });
}

/** An IP address or a host name to listen on. */
export function host(meaning: string, initial: string): Variable<string> {
  return {
    meaning,
    initial,
    parse: (value) => (isIP(value) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(value) ? value : undefined),
    errorMessage: emptyOr(
      (name, value) => `${name} must be an IP address or a host name such as 127.0.0.1, but is "${value}".`,
    ),
  };
}

export function choice<Choice extends string>(
  meaning: string,
  choices: readonly Choice[],
  initial: Choice,
): Variable<Choice> {
  return {
    meaning,
    initial,
    parse: (value) => choices.find((known) => known === value),
    errorMessage: emptyOr((name, value) => `${name} must be ${choices.join(' or ')}, but is "${value}".`),
  };
}

/** A URL with one of these protocols. */
export function url(
  meaning: string,
  protocols: readonly string[],
  example: string,
): Variable<URL | undefined> {
  return {
    meaning,
    initial: undefined,
    parse(value) {
      const parsed = URL.parse(value);
      return parsed !== null && protocols.includes(parsed.protocol) ? parsed : undefined;
    },
    // The value may contain a password.
    errorMessage: emptyOr((name) => `${name} must look like ${example}. Correct or remove it.`),
  };
}
