/** `npm run create`: creates a remote in the working directory, which is the project's root. `--help` lists the options. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { remoteNames } from '@countersign/contracts/remotes';
import contracts from '@countersign/contracts/package.json' with { type: 'json' };
import { Command, InvalidArgumentError } from 'commander';
import { format, resolveConfig } from 'prettier';
import { CreationError, registrationEdits, type SlotName } from './register-remote.ts';
import { namesOf, remoteFiles } from './remote-files.ts';

interface Options {
  readonly after?: SlotName;
  readonly owners?: readonly string[];
  readonly install: boolean;
}

try {
  await new Command()
    .name('create')
    .description('create a remote: its folder, contract, slot and owners')
    .argument('<remote>', 'name of the new folder, such as mf-faq', parseName)
    .option('--after <slot>', 'slot that the new one follows, such as mf-pricing/pricing', parseSlot)
    .option('--owners <names>', 'releasers that may release it, separated by commas', parseOwners)
    .option('--no-install', 'do not update package-lock.json')
    .action(create)
    .parseAsync();
} catch (error) {
  if (!(error instanceof CreationError)) throw error;
  console.error(`create: ${error.message}`);
  process.exitCode = 1;
}

async function create(remote: string, { after, owners, install }: Options): Promise<void> {
  if (existsSync(remote) || remoteNames.some((known) => known === remote)) {
    throw new CreationError(
      `${remote} exists already. Choose another name, or change the remote in its folder.`,
    );
  }
  const names = namesOf(remote);
  // All texts exist before the first file is written, so that an error leaves nothing behind.
  const files = await Promise.all([
    ...Object.entries(remoteFiles(names, contracts.peerDependencies.react)).map(async ([file, text]) => {
      const path = join(remote, file);
      return [path, await prettified(path, text)] as const;
    }),
    ...Object.entries(registrationEdits({ names, after, owners })).map(
      async ([path, edit]) => [path, await edited(path, edit)] as const,
    ),
  ]);
  for (const [path, text] of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`create: ${path}`);
  }
  if (install) {
    updateLock();
  }
  const key = `./${names.file}`;
  console.log(`create: ${remote} exposes ${key}. See it with: npm run dev -- ${remote}`);
}

/** The text of a file after an edit. A missing file, or one that the edit does not fit, is an error with advice. */
async function edited(path: string, edit: (text: string) => string): Promise<string> {
  try {
    return await prettified(path, edit(readFileSync(path, 'utf8')));
  } catch (cause) {
    if (cause instanceof CreationError || !(cause instanceof Error)) throw cause;
    // Only the first line, because Prettier appends an excerpt of the file.
    const [reason] = cause.message.split('\n');
    throw new CreationError(
      `${path} cannot be changed: ${reason} Correct it and try again in the project's root. Nothing was changed.`,
      { cause },
    );
  }
}

async function prettified(path: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(path)), filepath: path });
}

/** The next npm script installs what the lock names. */
function updateLock(): void {
  console.log('create: updating package-lock.json …');
  runNpm('install', '--package-lock-only', '--ignore-scripts', '--loglevel=error');
}

/** Runs npm, whose messages stay visible. If it fails, the files of the remote stay, because only this step is missing. */
function runNpm(...args: readonly string[]): void {
  const { status } = spawnSync('npm', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  console.error(
    `create: "npm ${args.join(' ')}" failed. The files are written; correct what npm reports and run the command again.`,
  );
  process.exitCode = 1;
}

function parseName(value: string): string {
  if (/^mf(-[a-z][a-z0-9]*)+$/.test(value)) return value;
  throw new InvalidArgumentError(
    'It must begin with "mf-" and have lower-case words joined by hyphens, such as mf-faq.',
  );
}

function parseSlot(value: string): SlotName {
  const [, remote, file] = /^([\w-]+)\/(?:\.\/)?([\w-]+)$/.exec(value) ?? [];
  if (remote !== undefined && file !== undefined) return { remote, file };
  throw new InvalidArgumentError('It must be a remote and its key, such as mf-pricing/pricing.');
}

function parseOwners(value: string): readonly string[] {
  const names = value.split(',').map((name) => name.trim());
  if (!names.includes('')) return names;
  throw new InvalidArgumentError('It must be names separated by commas, such as anna,ben.');
}
