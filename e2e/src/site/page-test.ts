import { expect, test as siteTest } from './site-test.ts';
import { recordConsole } from '../driver/record-console.ts';

/** For tests that do not depend on the window size. The phone's projects in playwright.config.ts leave out tests with this tag. */
export const onceOnDesktop = { tag: '@once-on-desktop' } as const;

interface PageOptions {
  /**
   * Substrings of the console's messages that this test permits. Each must appear at least once, so that no exception outlives
   * its reason.
   */
  readonly expectedMessages: readonly string[];
}

interface PageFixtures {
  /** Fails the test if one of its pages prints an error or a warning that is not expected. */
  readonly quietConsole: undefined;
}

export const test = siteTest.extend<PageOptions & PageFixtures>({
  expectedMessages: [[], { option: true }],
  quietConsole: [
    async ({ context, expectedMessages }, use) => {
      const messages = recordConsole(context, ['error', 'warning']);
      await use(undefined);

      const unexpected = messages.filter((text) => !expectedMessages.some((part) => text.includes(part)));
      expect(unexpected, 'messages in the console').toEqual([]);
      const missing = expectedMessages.filter((part) => !messages.some((text) => text.includes(part)));
      expect(missing, 'expected messages that never came').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
