import { Option } from 'commander';
import { UsageError } from '../platform/release-error.ts';

/** Finite, and as seconds in a timer still below its limit of 2^31 milliseconds. */
const largest = 1_000_000;

/**
 * An option with a number up to a million, which may have decimals. Other texts are a {@link UsageError}.
 *
 * @param meaning what the number must be, such as `a number above 0`
 */
export function numberOption(
  flags: string,
  description: string,
  meaning: string,
  isValid: (number: number) => boolean,
): Option {
  return new Option(flags, description).argParser((text: string) => {
    const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (isValid(number) && number <= largest) return number;
    const [name] = flags.split(' ');
    if (number > largest) throw new UsageError(`${name} must be at most ${largest}.`);
    throw new UsageError(`${name} must be ${meaning}, but is "${text}".`);
  });
}
