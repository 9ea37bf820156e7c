/**
 * `node build-fixture.ts <folder> [--without-integrity] <remote> …`: builds the fixture as each of these remotes, with every key
 * that the remote exposes, in a folder of that name. Without integrity, the loader requests its files as that of any other
 * build does.
 */
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { RemoteDefinition } from '@countersign/contracts/remotes';
import { createRemoteConfig } from '@countersign/webpack-config/create-remote-config';
import webpack from 'webpack';

const projectDirectory = join(import.meta.dirname, '..', '..', '..');
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'without-integrity': { type: 'boolean', default: false } },
});
const [directory = '', ...names] = positionals;
const withIntegrity = !values['without-integrity'];

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
  const plugins = (config.plugins ?? []).filter(
    (plugin) => withIntegrity || !(typeof plugin === 'function' && plugin.name === 'requestIntegrity'),
  );
  const compiler = webpack({ ...config, plugins, devtool: false });
  const stats = await promisify(compiler.run.bind(compiler))();
  if (stats?.hasErrors()) throw new Error(stats.toString('errors-only'));
}
