import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { config } from '../config.ts';

export type EngineName = 'firefox' | 'webkitgtk';

/** Debian package → names of its command, for each engine that Playwright does not drive. */
const packagesOf: Readonly<Record<EngineName, Readonly<Record<string, readonly string[]>>>> = {
  firefox: { 'firefox-esr': ['firefox-esr', 'firefox'] },
  webkitgtk: { 'webkit2gtk-driver': ['WebKitWebDriver'], xvfb: ['Xvfb'] },
};
export const engineNames = Object.keys(packagesOf) as EngineName[];

/** Path of each command of an engine, by its Debian package. Undefined if it is not installed. */
export function commandsOf(engine: EngineName): Readonly<Record<string, string | undefined>> {
  const find = (names: readonly string[]) =>
    config.path
      .split(delimiter)
      .flatMap((folder) => names.map((name) => join(folder, name)))
      .find(existsSync);
  return Object.fromEntries(
    Object.entries(packagesOf[engine]).map(([debianPackage, names]) => [debianPackage, find(names)]),
  );
}

/** Debian packages of an engine that are not installed. */
export const missingPackages = (engine: EngineName): readonly string[] =>
  Object.entries(commandsOf(engine)).flatMap(([debianPackage, path]) => (path ? [] : [debianPackage]));
