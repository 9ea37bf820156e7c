/** What a build is told from outside. */
export interface BuildEnvironment {
  /** The version to build, where a release decides it. */
  readonly PART_VERSION?: string;
  /** Hash of everything that goes into the build; Turborepo sets it. */
  readonly TURBO_HASH?: string;
}

export const buildEnvironment: BuildEnvironment = process.env;
