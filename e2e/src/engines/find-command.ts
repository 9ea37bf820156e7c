import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { config } from '../config.ts';

/** Driver of an engine: names of the command, and its Debian package. */
export interface EngineCommand {
  readonly names: readonly string[];
  readonly debianPackage: string;
}

export const engineCommands = {
  firefox: { names: ['firefox-esr', 'firefox'], debianPackage: 'firefox-esr' },
  webKitDriver: { names: ['WebKitWebDriver'], debianPackage: 'webkit2gtk-driver' },
  virtualDisplay: { names: ['Xvfb'], debianPackage: 'xvfb' },
} as const satisfies Readonly<Record<string, EngineCommand>>;

/** Path of a command, if it is installed. */
export function findCommand({ names }: EngineCommand): string | undefined {
  const folders = config.path.split(delimiter);
  return folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Path of a command. Throws an error that names the package if it is missing. */
export function requireCommand(command: EngineCommand): string {
  const path = findCommand(command);
  if (path) return path;
  throw new Error(
    `${command.names.join(' or ')} is not installed. Install it (Debian and Ubuntu: apt-get install ${command.debianPackage}).`,
  );
}
