/** The environment for a process that a benchmark starts: this one's, with some variables set. */
export function environmentWith(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...variables };
}
