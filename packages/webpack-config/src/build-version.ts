import { buildEnvironment, type BuildEnvironment } from './config.ts';

/**
 * The version that a build is published under. A release build sets `PART_VERSION`. Builds through Turborepo add
 * the hash of everything that went in, so that the same input is the same version and a changed one never is.
 * A plain `webpack` run takes the package's version as it stands.
 */
export function buildVersion(
  packageVersion: string,
  environment: BuildEnvironment = buildEnvironment,
): string {
  const { PART_VERSION: chosen, TURBO_HASH: inputHash } = environment;
  if (chosen) return chosen;
  return inputHash ? `${packageVersion}-${inputHash.slice(0, 12)}` : packageVersion;
}
