import { join } from 'node:path';

// A Git hook that runs the tests names its repository by these variables, and programs that tests start may call Git elsewhere.
for (const name of Object.keys(process.env)) {
  if (name.startsWith('GIT_')) Reflect.deleteProperty(process.env, name);
}

/** Environment variables of the tests, read in one place. */
export const config = {
  /** Path of the Chromium to test with. */
  browserPath: process.env['BROWSER_PATH'],
  /** Folders in which commands are found. */
  path: process.env['PATH'] ?? '',
  /** Folder in which npm was called, because npm runs a workspace's scripts in the workspace. */
  callersFolder: process.env['INIT_CWD'] ?? process.cwd(),
  /** Folder in which Turborepo keeps builds. */
  turboCache: process.env['TURBO_CACHE_DIR'] ?? join(import.meta.dirname, '..', '..', '.turbo', 'cache'),
  /** Set on build machines, where a forgotten `test.only` fails the run. */
  continuousIntegration: process.env['CI'] !== undefined,
};
