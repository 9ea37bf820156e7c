import type { ShellApi } from '@countersign/contracts/shell-api';

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
