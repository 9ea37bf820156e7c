/** Packages that must fit each other. */
export const triedPackages = [
  'webpack',
  '@module-federation/enhanced',
  '@module-federation/runtime-core',
] as const;

/** A package.json with these versions wherever it names the packages, overrides included. */
export function withVersions(packageJson: string, versions: Readonly<Record<string, string>>): string {
  return packageJson.replaceAll(/"([^"]+)": "\d+\.\d+\.\d+"/g, (line, name: string) =>
    Object.hasOwn(versions, name) ? `"${name}": "${versions[name]}"` : line,
  );
}
