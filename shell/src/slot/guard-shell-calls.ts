import { themePreferences } from '@countersign/contracts/theme-preference';
import { sectionIds, type Notice, type ShellApi } from '@countersign/contracts/shell-api';

/** Every function that a part can call. */
export type ShellCalls = Pick<ShellApi, 'notify' | 'signIn' | 'scrollToSection'> &
  Pick<ShellApi['theme'], 'setPreference'>;

/** How often one part may call one function within a second. A held key repeats less often. */
export const maxCallsPerSecond = 100;

/** Longest text of a notice, in characters. */
export const maxNoticeText = 2000;

/** A call that the contract does not allow. Its message never contains a value that the part has passed. */
class WrongCallError extends TypeError {
  override readonly name = 'WrongCallError';
}

/**
 * Lets through the calls of one part that are as the contract says. Any other does nothing: it must not break the page
 * for the visitor, so it is reported instead of thrown, each mistake once.
 */
export function guardShellCalls(calls: ShellCalls, onWrongCall: (error: unknown) => void): ShellCalls {
  const reported = new Set<string>();

  function guard(name: string, call: (argument: unknown) => void) {
    let secondEnds = 0;
    let count = 0;
    return Object.freeze((argument?: unknown) => {
      try {
        const now = performance.now();
        if (now >= secondEnds) [secondEnds, count] = [now + 1000, 0];
        count += 1;
        if (count > maxCallsPerSecond) {
          throw new WrongCallError(
            `shell.${name} was called more than ${maxCallsPerSecond} times in a second.`,
          );
        }
        call(argument);
      } catch (error) {
        const mistake = error instanceof WrongCallError ? error.message : name;
        if (reported.has(mistake)) return;
        reported.add(mistake);
        onWrongCall(error);
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

/** A notice of plain values, each read once. */
function checkedNotice(notice: unknown): Notice {
  if (typeof notice !== 'object' || notice === null) {
    throw new WrongCallError(`shell.notify: the notice must be an object, not ${kindOf(notice)}.`);
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
  if (typeof value !== 'string') throw new WrongCallError(`${name} must be a string, not ${kindOf(value)}.`);
  return value.length > maxNoticeText ? `${value.slice(0, maxNoticeText)}…` : value;
}

function oneOf<const Value extends string>(known: readonly Value[], value: unknown, name: string): Value {
  const found = known.find((each) => each === value);
  if (found !== undefined) return found;
  const kind = typeof value === 'string' ? 'another string' : kindOf(value);
  throw new WrongCallError(`${name} must be one of ${known.join(', ')}, not ${kind}.`);
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
