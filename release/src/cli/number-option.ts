import { Option } from 'commander';
import { UsageError } from '../platform/release-error.ts';

/**
 * An option with a number, which may have decimals. Other texts are a {@link UsageError}.
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
    if (isValid(number)) return number;
    const [name] = flags.split(' ');
    throw new UsageError(`${name} must be ${meaning}, but is "${text}".`);
  });
}
