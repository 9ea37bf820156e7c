import { partVersionName } from '@countersign/contracts/part-manifest';
import { buildEnvironment, type BuildEnvironment } from '../base/config.ts';

/**
 * Version of a build. Release builds set `PART_VERSION`. Turborepo builds append the hash of all inputs, so
 * that the same input always gets the same version. A plain `webpack` run uses the package's version. Throws if `PART_VERSION` is not
 * one that `release publish` accepts.
 */
export function buildVersion(
  packageVersion: string,
  environment: BuildEnvironment = buildEnvironment,
): string {
  const { PART_VERSION: chosen, TURBO_HASH: inputHash } = environment;
  if (chosen) {
    const { error } = partVersionName.safeParse(chosen);
    if (error) throw new Error(`PART_VERSION ${error.issues[0]?.message}, but is "${chosen}".`);
    return chosen;
  }
  return inputHash ? `${packageVersion}-${inputHash.slice(0, 12)}` : packageVersion;
}
