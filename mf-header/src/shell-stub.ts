import type { ThemePreference } from '@countersign/contracts/theme-preference';
import type { ShellApi } from '@countersign/contracts/shell-api';

/** Stands in for the page in unit tests, and remembers what was asked of it. */
export function createShellStub(preference: ThemePreference = 'system'): ShellApi {
  return {
    page: { releaseId: 'r-000000000000', appHost: 'https://app.example' },
    theme: { preference, setPreference: jest.fn() },
    notify: jest.fn(),
    signIn: jest.fn(),
    scrollToSection: jest.fn(),
  };
}
