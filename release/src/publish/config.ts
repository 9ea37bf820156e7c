type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a child process: a copy of this process's environment, with `variables` set; `undefined` removes one.
 *
 * @param defaults values of variables that the environment does not set
 */
export function childEnvironment(variables: Variables, defaults: Variables = {}): NodeJS.ProcessEnv {
  return { ...defaults, ...process.env, ...variables };
}

/**
 * Settings of the lead service of `npm start` that add a token to those of the environment. Without others, no person can use the
 * inbox: it takes calls from this machine only, on any free port.
 */
export function adminSettings(entry: string): { readonly hasInbox: boolean; readonly variables: Variables } {
  const { ADMIN_TOKENS: others } = process.env;
  if (others) return { hasInbox: true, variables: { ADMIN_TOKENS: `${others},${entry}` } };
  const variables = { ADMIN_TOKENS: entry, ADMIN_HOST: '127.0.0.1', ADMIN_PORT: '0' };
  return { hasInbox: false, variables };
}
