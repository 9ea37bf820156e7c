import { mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const projectModules = join(import.meta.dirname, '..', '..', '..', '..', 'node_modules');

const compilerOptions = { target: 'ES2023', jsx: 'react-jsx', module: 'ESNext' };
const settings = {
  'package.json': '{"type":"module"}',
  'tsconfig.json': JSON.stringify({ compilerOptions }),
};

/** Writes the sources of a part into a folder, which disposal removes. */
export async function writePart(sources: Readonly<Record<string, string>>) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'part-'));
  await mkdir(join(folder.path, 'src'));
  await symlink(projectModules, join(folder.path, 'node_modules'));
  for (const [file, text] of Object.entries({ ...settings, ...sources }))
    await writeFile(join(folder.path, file), text);
  return folder;
}

/** A remote with one component. */
export const sampleRemote = {
  name: 'mf-header',
  // A build finds `src/header.tsx` by the key, and never calls the function.
  exposes: { './header': () => Promise.reject(new Error('Not loaded here.')) },
  hydration: { './header': 'load' },
  budget: { markup: 1, style: 2, script: 3 },
} as const;
