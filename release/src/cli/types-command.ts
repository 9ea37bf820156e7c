import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { contractFolder } from '@countersign/contracts/part-manifest';
import type { PartName } from '@countersign/contracts/remotes';
import { Option } from 'commander';
import { ReleaseError } from '../platform/release-error.ts';
import { readContractDeclarations } from '../store/contract-declarations.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { readVersion } from '../store/stored-version.ts';
import { parsePart } from './part-argument.ts';
import { liveVersionOf, requireRecord } from './published-version.ts';
import type { ReleaseCommand } from './release-command.ts';

export const typesCommand: ReleaseCommand<{ readonly out?: string }> = {
  usage: 'types <part> [version]',
  description: 'write the declarations that a published version carries (default: the live one)',
  options: [new Option('--out <folder>', 'folder for the declarations (default: types/<part> in DATA_DIR)')],
  async run({ words: [word = '', named], options, open }) {
    const part = parsePart(word);
    const { store, config } = open();
    const version = named ?? (await liveVersionOf(store, part));
    const files = await declarationsOf(store, part, version);
    const folder = resolve(options.out ?? join(config.dataDirectory, 'types', part));
    await writeFiles(folder, files);
    const count = files.size === 1 ? '1 file' : `${files.size} files`;
    return {
      json: { part, version, folder, files: [...files.keys()] },
      lines: `${part} ${version}: ${count} in ${folder}`,
    };
  },
};

/** Path → text: the contract of a version, and a module for each key that it exposes. */
async function declarationsOf(
  store: ReleaseStore,
  part: PartName,
  version: string,
): Promise<ReadonlyMap<string, string>> {
  await requireRecord(store, part, version);
  const { manifest } = await readVersion(store, part, version);
  const contract = await readContractDeclarations(store, part, version);
  if (contract.size === 0) {
    throw new ReleaseError(
      `${part} ${version} carries no declarations. Build it with packages/webpack-config, and publish it under a new version.`,
    );
  }
  const files = new Map([...contract].map(([name, text]) => [`${contractFolder}${name}`, text]));
  const keys = Object.keys(manifest.exposes);
  if (keys.length > 0) files.set(`${part}.d.ts`, exposedModules(part, version, keys));
  return files;
}

/** Declares the modules as a host imports them: the remote's name, and the key without the leading dot. */
function exposedModules(part: PartName, version: string, keys: readonly string[]): string {
  const modules = keys.map((key) => {
    const contract = `import("./${contractFolder}remotes").RemoteModules`;
    return `declare module ${JSON.stringify(key.replace('.', part))} {
  const component: ${contract}[${JSON.stringify(part)}][${JSON.stringify(key)}]["default"];
  export default component;
}
`;
  });
  return [
    `// What ${part} ${version} exposes, by the contract that it was built against.\n`,
    ...modules,
  ].join('');
}

async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  try {
    for (const [name, text] of files) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ReleaseError(`${folder} cannot be written: ${message}. Name another folder with --out.`, {
      cause,
    });
  }
}
