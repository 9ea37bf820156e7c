import type { ShellApi } from '@countersign/contracts/shell-api';
import type { ShellApiStore } from '../page/shell-api-store.ts';

/** A `ShellApi` whose functions are mocks. */
export function createShellStub(): ShellApi {
  return {
    page: { releaseId: 'r-000000000000', appHost: 'https://app.example' },
    theme: { preference: 'system', setPreference: jest.fn() },
    notify: jest.fn(),
    signIn: jest.fn(),
    scrollToSection: jest.fn(),
  };
}

/** A store with a constant value. The prerendered value has the theme `system`. */
export function storeOf(shell: ShellApi): ShellApiStore {
  const prerendered = { ...shell, theme: { ...shell.theme, preference: 'system' as const } };
  return { subscribe: () => () => undefined, get: () => shell, getPrerendered: () => prerendered };
}
