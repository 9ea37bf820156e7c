type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a child process: a copy of this process's environment, with `variables` set; `undefined` removes one.
 *
 * @param defaults values of variables that the environment does not set
 */
export function childEnvironment(variables: Variables, defaults: Variables = {}): NodeJS.ProcessEnv {
  return { ...defaults, ...process.env, ...variables };
}

/** Variables that a build of other sources gets: where programs, packages and temporary files are, and how npm reaches its registry. */
const passedToBuild =
  /^(?:PATH|HOME|TMPDIR|TEMP|TMP|SYSTEMROOT|APPDATA|(?:https?|no)_proxy|npm_config_(?:cache|registry|userconfig)|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/i;

/** The environment of a build of other sources. It has no token or key, and no setting that changes the result. Their code can still read what the user can. */
export function buildEnvironment(variables: Variables): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => passedToBuild.test(name))),
    ...variables,
  };
}
