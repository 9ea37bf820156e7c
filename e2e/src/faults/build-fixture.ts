/**
 * `node build-fixture.ts <remote> <folder> [--without-integrity]`: builds the fixture as that remote, with every key that the
 * remote exposes. Without integrity, the loader requests its files as that of any other build does.
 */
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RemoteDefinition } from '@countersign/contracts/remotes';
import { createRemoteConfig } from '@countersign/webpack-config/create-remote-config';
import webpack from 'webpack';

const projectDirectory = join(import.meta.dirname, '..', '..', '..');
const [name = '', root = '', option] = process.argv.slice(2);

const { remote } = (await import(join(projectDirectory, name, 'remote.ts'))) as { remote: RemoteDefinition };

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

await new Promise<void>((resolve, reject) => {
  const config = createRemoteConfig({ root, remote, version: '0.0.0-fixture' });
  const plugins = (config.plugins ?? []).filter(
    (plugin) =>
      option !== '--without-integrity' || (plugin && plugin.constructor.name) !== 'FileIntegrityPlugin',
  );
  webpack({ ...config, plugins, devtool: false }, (error, stats) => {
    if (error) reject(error);
    else if (stats?.hasErrors()) reject(new Error(stats.toString('errors-only')));
    else resolve();
  });
});
