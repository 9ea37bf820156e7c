import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Salt of a part's class names: its name, and a hash of its stylesheets and of those of its dependencies. Two versions in one page
 * have other names, or the same styles. So a version with new texts keeps its names, and a browser that has the version before
 * loads a small delta.
 *
 * @param uniqueName name of the build, with its version
 */
export function styleSalt(root: string, uniqueName: string): string {
  const manifest = join(root, 'package.json');
  const folders = dependenciesIn(manifest).flatMap((dependency) => {
    const found = findPackageJSON(dependency, manifest);
    return found === undefined ? [] : [dirname(found)];
  });
  const hash = createHash('sha256');
  for (const folder of [root, ...folders]) {
    const exclude = (file: string) => file === 'node_modules' || file === 'dist';
    for (const file of globSync('**/*.css', { cwd: folder, exclude }).sort()) {
      hash.update(`${file}\n`).update(readFileSync(join(folder, file)));
    }
  }
  const [name] = uniqueName.split('@');
  return `${name} ${hash.digest('hex')}`;
}

function dependenciesIn(manifest: string): readonly string[] {
  if (!existsSync(manifest)) return [];
  const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  return Object.keys(dependencies);
}
