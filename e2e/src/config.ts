/** What can be set from outside, read in one place. */
export const config = {
  /** Path of a Chromium to test with, before any other is looked for. */
  browserPath: process.env['BROWSER_PATH'],
  /** Folders in which commands are found. */
  path: process.env['PATH'] ?? '',
  /** Set on build machines: a forgotten `test.only` then fails the run. */
  continuousIntegration: process.env['CI'] !== undefined,
};

/** The environment for a process of a test: this one's, with some variables set or, as `undefined`, taken out. */
export function environmentWith(variables: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return { ...process.env, ...variables };
}
