import { join } from 'node:path';

/** Address of a PostgreSQL that tests may create and drop databases on. Without it they run on SQLite alone. */
export const testDatabaseUrl = process.env.TEST_DATABASE_URL;

/** File that gathers the log lines of all tests. Without it they are not kept. */
export const testLogFile = process.env.LEADS_TEST_LOG;

/** For processes that tests start: what one of them has compiled, the next one need not, and starts in half the time. */
export const compileCache = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/compile'),
} as const;

/** The environment of a run of all tests, which gathers their logs in a file. */
export function suiteEnvironment(logFile: string): NodeJS.ProcessEnv {
  return { ...process.env, ...compileCache, LEADS_TEST_LOG: logFile };
}
