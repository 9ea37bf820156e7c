import { join } from 'node:path';

/** Environment variables of the tests, read in one place. */
export const config = {
  /** Path of the Chromium to test with. */
  browserPath: process.env['BROWSER_PATH'],
  /** Folders in which commands are found. */
  path: process.env['PATH'] ?? '',
  /** Folder in which npm was called, because npm runs a workspace's scripts in the workspace. */
  callersFolder: process.env['INIT_CWD'] ?? process.cwd(),
  /** Set on build machines, where a forgotten `test.only` fails the run. */
  continuousIntegration: process.env['CI'] !== undefined,
};

/** Shares a compile cache between the processes that tests start, which shortens their start. */
const compileCache = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compile'),
} as const;

/** The environment for a process of a test. A variable that is `undefined` is removed. */
export function environmentWith(variables: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return { ...process.env, ...compileCache, ...variables };
}
