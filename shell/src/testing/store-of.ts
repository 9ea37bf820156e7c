import type { ShellApi } from '@countersign/contracts/shell-api';
import type { ShellApiStore } from '../page/shell-api-store.ts';

/** A store with a constant value. The prerendered value has the theme `system`. */
export function storeOf(shell: ShellApi): ShellApiStore {
  const prerendered = { ...shell, theme: { ...shell.theme, preference: 'system' as const } };
  return { subscribe: () => () => undefined, get: () => shell, getPrerendered: () => prerendered };
}
