import * as z from 'zod/mini';
import { UsageError } from '../platform/release-error.ts';

/** An option of a command, as data. Its key names it: `looksChanged` is `--looks-changed`. */
export interface CommandOption<Value = unknown> {
  readonly description: string;
  /** What follows it, such as `<reason>`; nothing follows a switch. */
  readonly placeholder?: string;
  readonly choices?: readonly string[];
  readonly isRequired?: boolean;
  readonly default?: Value | undefined;
  /** The release server refuses a larger number. */
  readonly maxOnServer?: number;
  /** Whether it overrides a refusal. It then needs `--why`, and only owners of the shell may use it. */
  readonly isOverride?: boolean;
  /** Parses the text after the option. Throws a {@link UsageError} that names it. */
  parse?(text: string, flag: string): NonNullable<Value>;
}

/** How an option is written: `--looks-changed`. */
export function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export function switchOption(description: string): CommandOption<boolean | undefined> {
  return { description };
}

/** A switch that overrides a refusal, which the history records. */
export function overrideOption(description: string): CommandOption<boolean | undefined> {
  return { description, isOverride: true };
}

export function textOption(placeholder: string, description: string): CommandOption<string | undefined> {
  return { placeholder, description };
}

/** Maximum of every number. As seconds, it is within the range of timers, 2^31 milliseconds. */
const maxNumber = 1_000_000;

/**
 * An option with a number up to a million, which may have decimals.
 *
 * @param meaning what the number must be, such as `a number from 0 to 100`
 */
export function numberOption(
  placeholder: string,
  description: string,
  meaning = 'a number above 0',
  isValid = (number: number) => number > 0,
): CommandOption<number | undefined> {
  return {
    placeholder,
    description,
    parse(text, flag) {
      const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
      if (isValid(number) && number <= maxNumber) return number;
      if (number > maxNumber) throw new UsageError(`${flag} must be at most ${maxNumber}.`);
      throw new UsageError(`${flag} must be ${meaning}, but is "${text}".`);
    },
  };
}

/** With a zone, because a release server may be in another one. `Date.parse` alone takes 31 November as 1 December. */
const timeWithZone = z.union([
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
]);

/** An option with a time to come, in ISO 8601. Its value is in UTC. */
export function timeOption(placeholder: string, description: string): CommandOption<string | undefined> {
  return {
    placeholder,
    description,
    parse(text, flag) {
      const time = Date.parse(timeWithZone.safeParse(text).data ?? '');
      if (time > Date.now()) return new Date(time).toISOString();
      throw new UsageError(
        `${flag} must be a time to come with its zone, such as 2026-12-01T08:00Z, but is "${text}".`,
      );
    },
  };
}

export function required<Value>(option: CommandOption<Value | undefined>): CommandOption<Value> {
  return { ...option, isRequired: true };
}

export function withDefault<Value>(
  option: CommandOption<Value | undefined>,
  value: NonNullable<Value>,
): CommandOption<NonNullable<Value>> {
  return { ...option, default: value };
}
