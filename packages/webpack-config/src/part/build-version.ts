import { buildEnvironment, type BuildEnvironment } from '../base/config.ts';

/**
 * Version of a build. Release builds set `PART_VERSION`. Turborepo builds append the hash of all inputs, so
 * that the same input always gets the same version. A plain `webpack` run uses the package's version.
 */
export function buildVersion(
  packageVersion: string,
  environment: BuildEnvironment = buildEnvironment,
): string {
  const { PART_VERSION: chosen, TURBO_HASH: inputHash } = environment;
  if (chosen) return chosen;
  return inputHash ? `${packageVersion}-${inputHash.slice(0, 12)}` : packageVersion;
}
