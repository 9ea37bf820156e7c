/** Environment of a child process: the current one with some variables set, or removed with `undefined`. */
export function environmentWith(variables: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  // The page's team may release every part.
  return { ...process.env, RELEASER: 'page-team', ...variables };
}

/** URL of a PostgreSQL server on which benchmarks may create and drop a database, if there is one. */
export const serverUrl = process.env['BENCH_DATABASE_URL'] ?? process.env['TEST_DATABASE_URL'];
