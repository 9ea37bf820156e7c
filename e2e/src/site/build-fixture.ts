/** `node build-fixture.ts <folder> <remote> …`: builds the fixture as each of these remotes, with every key that it exposes. */
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readArguments } from '@countersign/contracts/arguments';
import type { RemoteDefinition } from '@countersign/contracts/remotes';
import { createRemoteConfig } from '@countersign/webpack-config/create-remote-config';
import webpack from 'webpack';

const projectDirectory = join(import.meta.dirname, '..', '..', '..');
const { positionals } = readArguments('node build-fixture.ts <folder> <remote> …', [2, Infinity]);
const [directory = '', ...names] = positionals;

// One after the other, because all but the first take a fraction of its time.
for (const name of names) await build(name, join(directory, name));

async function build(name: string, root: string): Promise<void> {
  const { remote } = (await import(join(projectDirectory, name, 'remote.ts'))) as {
    remote: RemoteDefinition;
  };
  const source = join(root, 'src');
  await mkdir(source, { recursive: true });
  await cp(join(import.meta.dirname, 'fixture'), source, { recursive: true });
  await symlink(join(projectDirectory, 'node_modules'), join(root, 'node_modules'));
  for (const key of Object.keys(remote.exposes)) {
    await writeFile(join(source, `${key}.tsx`), `export { default } from './fixture.tsx';\n`);
  }
  await writeFile(
    join(root, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { target: 'ES2023', jsx: 'react-jsx', module: 'ESNext' } }),
  );

  const config = createRemoteConfig({ root, remote, version: '0.0.0-fixture' });
  const compiler = webpack({ ...config, devtool: false });
  const stats = await promisify(compiler.run.bind(compiler))();
  if (stats?.hasErrors()) throw new Error(stats.toString('errors-only'));
}
