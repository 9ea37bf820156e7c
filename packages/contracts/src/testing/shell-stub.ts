import type { PageInfo, ShellApi, ThemePreference } from '../page/shell-api.ts';

/** A function of {@link ShellApi}, as a path. */
export type ShellMethod = 'notify' | 'signIn' | 'scrollToSection' | 'theme.setPreference';

interface ShellStubData {
  readonly preference?: ThemePreference;
  readonly page?: PageInfo;
}

/**
 * Creates a `ShellApi` without a page, for tests and for a part on its own.
 *
 * @param createFunction creates the function of a method, such as `() => jest.fn()`. By default calls have no effect.
 */
export function createShellStub(
  createFunction: (method: ShellMethod) => (...values: readonly unknown[]) => void = () => () => undefined,
  {
    preference = 'system',
    page = { releaseId: 'r-000000000000', appHost: 'https://app.example' },
  }: ShellStubData = {},
): ShellApi {
  return {
    page,
    theme: { preference, setPreference: createFunction('theme.setPreference') },
    notify: createFunction('notify'),
    signIn: createFunction('signIn'),
    scrollToSection: createFunction('scrollToSection'),
  };
}
