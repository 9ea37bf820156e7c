import type { ShellApi } from './shell-api.ts';
import type { createShellStub } from '../testing/shell-stub.ts';

/**
 * The {@link ShellApi} that fragments are rendered with: no visitor, no stored preference. Its functions throw, because
 * rendering must not call them. Refers to nothing outside of itself, because `release` runs its text in a page.
 *
 * @param appHost the placeholder for the application's origin
 */
export function createFragmentShell(createStub: typeof createShellStub, appHost: string): ShellApi {
  return createStub(
    (method) => () => {
      throw new Error(
        `shell.${method}() was called while rendering. Call it in an effect or an event handler.`,
      );
    },
    { page: { releaseId: 'r-000000000000', appHost } },
  );
}
