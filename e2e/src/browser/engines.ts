/** The engines that Playwright does not drive. Run as a program, it installs them if it runs as root on Debian or Ubuntu. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readArguments } from '@countersign/contracts/arguments';
import { config } from '../config.ts';

/** Debian package → its command, for each engine. */
const commands = {
  firefox: { 'firefox-esr': 'firefox' },
  webkitgtk: { 'webkit2gtk-driver': 'WebKitWebDriver', xvfb: 'Xvfb' },
} as const;
export type EngineName = keyof typeof commands;

/** Path of a command. Undefined if it is not installed. */
export const findCommand = (name: string): string | undefined =>
  config.path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(existsSync);

/** Debian packages of an engine that are not installed. */
export const missingPackages = (engine: EngineName): readonly string[] =>
  Object.entries(commands[engine]).flatMap(([name, command]) => (findCommand(command) ? [] : [name]));

if (import.meta.main) {
  readArguments('npm run install-engines -w e2e');
  const engines = Object.keys(commands) as EngineName[];
  const packages = engines.flatMap(missingPackages);
  if (packages.length > 0 && process.getuid?.() === 0) {
    console.log(`engines: installing ${packages.join(', ')} …`);
    spawnSync('apt-get', ['update'], { stdio: 'ignore' });
    // The search afterwards shows whether it succeeded.
    spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', ...packages], { stdio: 'ignore' });
  }
  for (const engine of engines) {
    const missing = missingPackages(engine).join(' ');
    if (missing)
      console.log(`Skipped: ${engine}. Install it (Debian and Ubuntu: apt-get install ${missing}).`);
  }
}
