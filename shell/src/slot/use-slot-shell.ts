import type { ShellApi } from '@countersign/contracts/shell-api';
import { useMemo } from 'react';
import { guardShellCalls } from './guard-shell-calls.ts';

/**
 * The page's services for one part: an object of its own, frozen, so that no part can change what another gets. Its
 * functions stay the same while values in it change.
 */
export function useSlotShell(
  { page, theme, notify, signIn, scrollToSection }: ShellApi,
  onWrongCall: (error: unknown) => void,
): ShellApi {
  const { preference, setPreference } = theme;
  const calls = useMemo(
    () => guardShellCalls({ notify, signIn, scrollToSection, setPreference }, onWrongCall),
    [notify, signIn, scrollToSection, setPreference, onWrongCall],
  );
  return useMemo(
    () =>
      Object.freeze({
        page: Object.freeze({ ...page }),
        theme: Object.freeze({ preference, setPreference: calls.setPreference }),
        notify: calls.notify,
        signIn: calls.signIn,
        scrollToSection: calls.scrollToSection,
      }),
    [page, preference, calls],
  );
}
