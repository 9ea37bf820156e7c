/** The environment for a process that a benchmark starts: this one's, with some variables set or, as `undefined`, taken out. */
export function environmentWith(variables: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return { ...process.env, ...variables };
}

/** Address of a PostgreSQL that a benchmark may create and drop a database on, if there is one. */
export const serverUrl = process.env['BENCH_DATABASE_URL'] ?? process.env['TEST_DATABASE_URL'];

/** Settings of the process that stands for a handler written by hand. Throws where there is no database. */
export function handWrittenConfig(): { readonly databaseUrl: string } {
  const databaseUrl = process.env['DATABASE_URL'];
  if (databaseUrl === undefined) throw new Error('DATABASE_URL is missing. The benchmark sets it.');
  return { databaseUrl };
}
