import type { ThemePreference } from '@countersign/contracts/theme-preference';
import type { ShellApi } from '@countersign/contracts/shell-api';

/** A `ShellApi` for unit tests, with mock functions. */
export function createShellStub(preference: ThemePreference = 'system'): ShellApi {
  return {
    page: { releaseId: 'r-000000000000', appHost: 'https://app.example' },
    theme: { preference, setPreference: jest.fn() },
    notify: jest.fn(),
    signIn: jest.fn(),
    scrollToSection: jest.fn(),
  };
}
