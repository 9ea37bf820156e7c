/**
 * `npm run create -- mf-faq [--after mf-pricing/pricing]`: creates a remote in the working directory, which is the project's
 * root, from the folder `template`. Its slot follows the named one, or is the last one of `<main>`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readArguments } from '@countersign/contracts/arguments';
import { remoteNamePattern } from '@countersign/contracts/remotes';

/** A package with real names, so that it is compiled and linted like a remote. {@link names} replaces them. */
const template = join(import.meta.dirname, '..', 'template');
const contractFile = 'packages/contracts/src/page/remotes.ts';
const slotsFile = 'shell/src/page/landing-page-slots.ts';
/** Names the parts that the end-to-end tests need built. */
const endToEndTests = 'e2e/package.json';

const { values, positionals } = readArguments(
  'npm run create -- mf-<name> [--after <remote>/<key>] [--no-install]',
  [1, 1],
  { after: { type: 'string' }, 'no-install': { type: 'boolean' } },
);
const [remote = ''] = positionals;

/** Ends the command before it has changed anything. */
function refuse(message: string): never {
  console.error(`create: ${message}`);
  process.exit(1);
}

/** The text of a file after replacements. Ends the command if the file does not contain a replaced text. */
function changed(file: string, changes: readonly (readonly [string | RegExp, string])[]): string {
  return changes.reduce(
    (text, [from, to]) => {
      const after = text.replace(from, to);
      return after === text ? refuse(`${file} has nothing like ${from}. Nothing was changed.`) : after;
    },
    readFileSync(file, 'utf8'),
  );
}

if (!new RegExp(`^${remoteNamePattern}$`).test(remote)) {
  refuse('The name must be "mf-" and lower-case words joined by hyphens, such as mf-faq.');
}
if (existsSync(remote)) refuse(`${remote} exists already. Choose another name.`);

const key = remote.replace('mf-', '');
const words = key.split('-').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
const slot = `{ remote: '${remote}', exposed: './${key}' },`;
const [owner, exposed] = values.after?.split('/') ?? [];
const edits = {
  [contractFile]: changed(contractFile, [
    ['}\n\nexport const remoteNames', `  '${remote}': {\n    './${key}': SlotModule;\n  };\n$&`],
    [/,?\s*\] as const;\nexport type RemoteName/, `, '${remote}'$&`],
  ]),
  [slotsFile]: changed(slotsFile, [
    owner === undefined
      ? ['  ],\n  footer', `    ${slot}\n$&`]
      : [`{ remote: '${owner}', exposed: './${exposed}' },`, `$&\n    ${slot}`],
  ]),
  [endToEndTests]: changed(endToEndTests, [[/\n( *)"release":/, `\n$1"${remote}": "1.0.0",$&`]]),
};

/** The version of React that the page provides. */
const { peerDependencies } = JSON.parse(readFileSync('packages/contracts/package.json', 'utf8')) as {
  readonly peerDependencies: { readonly react: string };
};
/** Text in the template → text in the new remote. Paths change, because the new folder is at the project's root. */
const names: Readonly<Record<string, string>> = {
  'Our Prices': words.join(' '),
  Pricing: words.join(''),
  pricing: key,
  '"*"': JSON.stringify(peerDependencies.react),
  '../../../': '../',
  '../../': '../packages/',
};
const placeholders = /Our Prices|Pricing|pricing|"\*"|(\.\.\/){2,3}/g;
const renamed = (text: string) => text.replaceAll(placeholders, (found) => names[found] ?? found);

cpSync(template, remote, { recursive: true, filter: (path) => !path.includes('node_modules') });
for (const path of globSync(`${remote}/**/*.*`)) {
  writeFileSync(path, renamed(readFileSync(path, 'utf8')));
  renameSync(path, join(remote, renamed(path.slice(remote.length))));
}
for (const [file, text] of Object.entries(edits)) writeFileSync(file, text);
const prettier = createRequire(import.meta.url).resolve('prettier/bin/prettier.cjs');
spawnSync(process.execPath, [prettier, '--write', remote, ...Object.keys(edits)], { stdio: 'inherit' });
if (!values['no-install']) {
  // Only writes the lockfile, and runs no install script: the next `npm run` installs what it names (`scripts/bootstrap.mjs`).
  const { status } = spawnSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], {
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error(`create: package-lock.json has no ${remote} yet. Run "npm install" later.`);
    process.exitCode = 1;
  }
}
console.log(`create: ${remote} exposes ./${key}. See it with: npm run dev -- ${remote}`);
