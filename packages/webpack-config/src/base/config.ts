/** Environment variables of a build. */
export interface BuildEnvironment {
  /** Version of a release build. */
  readonly PART_VERSION?: string;
  /** Hash of all inputs of the build, set by Turborepo. */
  readonly TURBO_HASH?: string;
}

export const buildEnvironment: BuildEnvironment = process.env;

/** Environment for a child process: this one's, with changes. */
export function environmentWith(changes: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}
