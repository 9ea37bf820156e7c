type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a child process: a copy of this process's environment, with `variables` set; `undefined` removes one.
 *
 * @param defaults values of variables that the environment does not set
 */
export function childEnvironment(variables: Variables, defaults: Variables = {}): NodeJS.ProcessEnv {
  return { ...defaults, ...process.env, ...variables };
}
