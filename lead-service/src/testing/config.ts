import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** URL of a PostgreSQL on which tests create and drop databases. Without it, they run only on SQLite. */
export const testDatabaseUrl = process.env.TEST_DATABASE_URL;

// Where a server is promised, the suite must not pass because tests were skipped.
if (process.env.REQUIRE_DATABASE && testDatabaseUrl === undefined) {
  throw new Error(
    'REQUIRE_DATABASE is set, but TEST_DATABASE_URL is not. Set it to the address of a PostgreSQL.',
  );
}

/** File that collects the log lines of all tests, if set. */
export const testLogFile = process.env.LEADS_TEST_LOG;

/** Shares a compile cache between the processes that tests start, which halves their start-up time. */
export const compileCache = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/compile'),
} as const;

/**
 * The environment of the whole suite, which collects all logs in a file. With TMPDIR, `run-node-tests.ts` puts databases on disk and
 * not in memory, because some tests kill the service in the middle of a sync.
 */
export function suiteEnvironment(logFile: string): NodeJS.ProcessEnv {
  return { ...process.env, TMPDIR: tmpdir(), LEADS_TEST_LOG: logFile };
}
