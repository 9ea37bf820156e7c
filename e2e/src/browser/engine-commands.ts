import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { config } from '../config.ts';

/** Program that an engine needs: names of the command, and its Debian package. */
interface EngineCommand {
  readonly names: readonly string[];
  readonly debianPackage: string;
}

export const engineCommands = {
  firefox: { names: ['firefox-esr', 'firefox'], debianPackage: 'firefox-esr' },
  webKitDriver: { names: ['WebKitWebDriver'], debianPackage: 'webkit2gtk-driver' },
  virtualDisplay: { names: ['Xvfb'], debianPackage: 'xvfb' },
} as const satisfies Readonly<Record<string, EngineCommand>>;

export type EngineName = 'firefox' | 'webkitgtk';

export const commandsOfEngines: Readonly<Record<EngineName, readonly EngineCommand[]>> = {
  firefox: [engineCommands.firefox],
  webkitgtk: [engineCommands.webKitDriver, engineCommands.virtualDisplay],
};

/** Commands of an engine that are not installed. */
export function missingCommands(engine: EngineName): readonly EngineCommand[] {
  return commandsOfEngines[engine].filter(({ names }) => !findCommand(names));
}

/** Why the tests of an engine are skipped, if a command is missing. */
export function whySkipped(engine: EngineName): string | undefined {
  const missing = missingCommands(engine);
  if (missing.length === 0) return undefined;
  const names = missing.map((command) => command.names.join(' or ')).join(', ');
  const packages = missing.map(({ debianPackage }) => debianPackage).join(' ');
  return `${names} is not installed. Install it (Debian and Ubuntu: apt-get install ${packages}).`;
}

/** Path of a command. Throws if it is missing, because tests of an engine that is not installed are skipped before. */
export function requireCommand({ names }: EngineCommand): string {
  const path = findCommand(names);
  if (path) return path;
  throw new Error(`${names.join(' or ')} is not installed.`);
}

/** Path of a command with one of these names, if it is installed. */
function findCommand(names: readonly string[]): string | undefined {
  const paths = config.path.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return paths.find((path) => existsSync(path));
}
