import type { BrowserLocation } from '@countersign/browser/find-browser';
import { join } from 'node:path';

/** Compile cache that the processes of tests share, which halves their start time. */
export const compileCache = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/compile'),
} as const;

/** Leaves this thread nothing but these variables. */
export function replaceEnvironment(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, variables);
}

const { BROWSER_PATH, PATH = '' } = process.env;

/** The browser of the tests of the check, for a function and for a command. */
export const browserOfTests: BrowserLocation = { browserPath: BROWSER_PATH, path: PATH };
export const browserEnvironment: NodeJS.ProcessEnv =
  BROWSER_PATH === undefined ? { PATH } : { BROWSER_PATH, PATH };

/** For tests in which a rollback need not open the page afterwards. */
export const withoutBrowser = { BROWSER_PATH: '/nowhere' } as const;
