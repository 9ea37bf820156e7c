import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { config } from '../config.ts';
import { findBrowser } from '@countersign/browser/find-browser';

/** Program that an engine needs: names of the command, and its Debian package. */
interface EngineCommand {
  readonly names: readonly string[];
  readonly debianPackage: string;
  /** Finds it in other places than the folders of commands. */
  readonly find?: () => string | undefined;
}

export const engineCommands = {
  chromium: { names: ['chromium'], debianPackage: 'chromium', find: () => findBrowser(config) },
  firefox: { names: ['firefox-esr', 'firefox'], debianPackage: 'firefox-esr' },
  webKitDriver: { names: ['WebKitWebDriver'], debianPackage: 'webkit2gtk-driver' },
  virtualDisplay: { names: ['Xvfb'], debianPackage: 'xvfb' },
} as const satisfies Readonly<Record<string, EngineCommand>>;

export type EngineName = 'chromium' | 'firefox' | 'webkitgtk';

export const engineNames = ['chromium', 'firefox', 'webkitgtk'] as const satisfies readonly EngineName[];

const commandsOf: Readonly<Record<EngineName, readonly EngineCommand[]>> = {
  chromium: [engineCommands.chromium],
  firefox: [engineCommands.firefox],
  webkitgtk: [engineCommands.webKitDriver, engineCommands.virtualDisplay],
};

/** Commands of an engine that are not installed. */
export function missingCommands(engine: EngineName): readonly EngineCommand[] {
  return commandsOf[engine].filter((command) => !findCommand(command));
}

/** Why the tests of an engine are skipped, if a command is missing. */
export function whySkipped(engine: EngineName): string | undefined {
  const missing = missingCommands(engine);
  if (missing.length === 0) return undefined;
  const names = missing.map((command) => command.names.join(' or ')).join(', ');
  const packages = missing.map(({ debianPackage }) => debianPackage).join(' ');
  return `${names} is not installed. Install it (Debian and Ubuntu: apt-get install ${packages}).`;
}

/** Path of a command, if it is installed. */
function findCommand({ names, find }: EngineCommand): string | undefined {
  if (find) return find();
  const folders = config.path.split(delimiter);
  return folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Path of a command. Throws if it is missing: tests of an engine that is not installed are skipped before. */
export function requireCommand(command: EngineCommand): string {
  const path = findCommand(command);
  if (path) return path;
  throw new Error(`${command.names.join(' or ')} is not installed.`);
}
