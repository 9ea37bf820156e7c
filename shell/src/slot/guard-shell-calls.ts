import { themePreferences } from '@countersign/contracts/theme-preference';
import { sectionIds, type Notice, type ShellApi } from '@countersign/contracts/shell-api';

/** All functions of `ShellApi`. */
type ShellCalls = Pick<ShellApi, 'notify' | 'signIn' | 'scrollToSection'> &
  Pick<ShellApi['theme'], 'setPreference'>;

/** Rate limit per part and function. A held key repeats less often. */
export const maxCallsPerSecond = 100;

/** Length limit for texts of a notice, in characters. */
export const maxNoticeLength = 2000;

/** A call with invalid arguments or over the rate limit. The message never contains values that the part passed. */
class WrongCallError extends TypeError {
  override readonly name = 'WrongCallError';
}

/**
 * Validates and limits the `ShellApi` calls of one part. A call that is invalid, too frequent, or makes the shell throw has no
 * effect and is reported once. Nothing is thrown, because an exception would break the part for the visitor.
 */
export function guardShellCalls(calls: ShellCalls, onInvalidCall: (error: unknown) => void): ShellCalls {
  /** Messages of wrong calls, and names of functions that threw another error. */
  const reported = new Set<string>();

  function guard(name: string, call: (argument: unknown) => void) {
    let windowEnd = 0;
    let count = 0;
    return Object.freeze((argument?: unknown) => {
      try {
        const now = performance.now();
        if (now >= windowEnd) [windowEnd, count] = [now + 1000, 0];
        count += 1;
        if (count > maxCallsPerSecond) {
          throw new WrongCallError(
            `shell.${name} was called more than ${maxCallsPerSecond} times in a second.`,
          );
        }
        call(argument);
      } catch (error) {
        const errorKey = error instanceof WrongCallError ? error.message : name;
        if (reported.has(errorKey)) return;
        reported.add(errorKey);
        onInvalidCall(error);
      }
    });
  }

  return {
    notify: guard('notify', (notice) => calls.notify(checkedNotice(notice))),
    signIn: guard('signIn', () => calls.signIn()),
    scrollToSection: guard('scrollToSection', (id) =>
      calls.scrollToSection(oneOf(sectionIds, id, 'shell.scrollToSection: the id')),
    ),
    setPreference: guard('theme.setPreference', (preference) =>
      calls.setPreference(oneOf(themePreferences, preference, 'shell.theme.setPreference: the preference')),
    ),
  };
}

/** Copies a notice. Reads each property once, because a getter could return another value the second time. */
function checkedNotice(notice: unknown): Notice {
  if (typeof notice !== 'object' || notice === null) {
    throw new WrongCallError(`shell.notify: the notice must be an object, not ${typeName(notice)}.`);
  }
  const { title, description, variant } = notice as Partial<Record<keyof Notice, unknown>>;
  return {
    title: text(title, 'shell.notify: title'),
    ...(description !== undefined && { description: text(description, 'shell.notify: description') }),
    ...(variant !== undefined && {
      variant: oneOf(['default', 'destructive'], variant, 'shell.notify: variant'),
    }),
  };
}

function text(value: unknown, name: string): string {
  if (typeof value !== 'string')
    throw new WrongCallError(`${name} must be a string, not ${typeName(value)}.`);
  return value.length > maxNoticeLength ? `${value.slice(0, maxNoticeLength)}…` : value;
}

function oneOf<const Value extends string>(allowed: readonly Value[], value: unknown, name: string): Value {
  const found = allowed.find((each) => each === value);
  if (found !== undefined) return found;
  const kind = typeof value === 'string' ? 'another string' : typeName(value);
  throw new WrongCallError(`${name} must be one of ${allowed.join(', ')}, not ${kind}.`);
}

function typeName(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
