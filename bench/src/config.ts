/** The environment for a process that a benchmark starts: this one's, with some variables set or, as `undefined`, taken out. */
export function environmentWith(variables: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return { ...process.env, ...variables };
}
