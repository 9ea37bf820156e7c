/**
 * Environment of the release command in the workflow: without empty variables, which a workflow sets for missing settings. Throws an
 * error without a release server, because a pipeline must not have keys of the store.
 */
export function readConfig(variables: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const environment = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  if ('RELEASE_URL' in environment) return environment;
  throw new Error(
    'RELEASE_URL is missing. Set it to the origin of the release server, as a variable of the repository or of the environment.',
  );
}
