import { expect, test as siteTest } from './site-test.ts';
import { recordConsole } from '../driver/record-console.ts';

/** For tests that do not depend on the window size. They run at desktop size only. */
export const onceOnDesktop = { tag: '@once-on-desktop' } as const;

interface PageOptions {
  /**
   * Substrings of messages that the browser reports in this test. Each must be reported at least once, so that no exception
   * outlives its reason.
   */
  readonly expectedReports: readonly string[];
}

interface PageFixtures {
  /** Fails the test if any of its pages reports an error or a warning that is not expected. */
  readonly quietConsole: undefined;
}

export const test = siteTest.extend<PageOptions & PageFixtures>({
  expectedReports: [[], { option: true }],
  quietConsole: [
    async ({ context, expectedReports }, use) => {
      const reports = recordConsole(context, ['error', 'warning']);
      await use(undefined);

      const unexpected = reports.filter((report) => !expectedReports.some((part) => report.includes(part)));
      expect(unexpected, 'reported to the console').toEqual([]);
      const missing = expectedReports.filter((part) => !reports.some((report) => report.includes(part)));
      expect(missing, 'expected reports that never came').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
