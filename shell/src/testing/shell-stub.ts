import type { ShellApi } from '@countersign/contracts/shell-api';
import type { ShellApiStore } from '../page/shell-api-store.ts';

/** Stands in for the page's services where a test renders a slot alone, and remembers what was asked of it. */
export function createShellStub(): ShellApi {
  return {
    page: { releaseId: 'r-000000000000', appHost: 'https://app.example' },
    theme: { preference: 'system', setPreference: jest.fn() },
    notify: jest.fn(),
    signIn: jest.fn(),
    scrollToSection: jest.fn(),
  };
}

/** A store that always holds the same. The markup was made for a visitor without a theme. */
export function storeOf(shell: ShellApi): ShellApiStore {
  const prerendered = { ...shell, theme: { ...shell.theme, preference: 'system' as const } };
  return { subscribe: () => () => undefined, get: () => shell, getPrerendered: () => prerendered };
}
