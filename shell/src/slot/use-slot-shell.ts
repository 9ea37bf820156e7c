import type { ShellApi } from '@countersign/contracts/shell-api';
import { useMemo } from 'react';
import { guardShellCalls } from './guard-shell-calls.ts';

/**
 * Creates a frozen `ShellApi` per slot, so that no part can change the object of another. Functions keep their
 * identity while values change.
 */
export function useSlotShell(
  { page, theme, notify, signIn, scrollToSection, shownParts }: ShellApi,
  onInvalidCall: (error: unknown) => void,
): ShellApi {
  const { preference, setPreference } = theme;
  const calls = useMemo(
    () => guardShellCalls({ notify, signIn, scrollToSection, setPreference }, onInvalidCall),
    [notify, signIn, scrollToSection, setPreference, onInvalidCall],
  );
  return useMemo(
    () =>
      Object.freeze({
        page: Object.freeze({ ...page }),
        theme: Object.freeze({ preference, setPreference: calls.setPreference }),
        notify: calls.notify,
        signIn: calls.signIn,
        scrollToSection: calls.scrollToSection,
        // Reads only, so it needs no guard.
        ...(shownParts && { shownParts }),
      }),
    [page, preference, calls, shownParts],
  );
}
