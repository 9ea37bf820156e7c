/** Fails if a Markdown document links to a file or folder of the repository, or names a source file, that does not exist. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readArguments } from '@countersign/contracts/arguments';

readArguments('node scripts/check-links.ts');
const root = join(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

/** A link or picture whose target is a file, without URLs (`https:`) and `#…`. The group is the target without its fragment. */
const relativeLink = /\]\((?!\w+:|#)([^)\s#]+)(?:#[^)\s]*)?\)/g;

/** A source file in inline code, such as `page/html.ts`. */
const sourceFile = /`([\w./-]+\/[\w.-]+\.(?:css|mjs|tsx?))`/g;

for (const document of files.filter((file) => file.endsWith('.md'))) {
  const text = readFileSync(join(root, document), 'utf8').replaceAll(/```.*?```/gs, '');
  for (const [, target = ''] of text.matchAll(relativeLink)) {
    if (existsSync(join(root, dirname(document), target))) continue;
    console.error(`${document} links to ${target}, which does not exist. Correct the link.`);
    process.exitCode = 1;
  }
  for (const [, name = ''] of text.matchAll(sourceFile)) {
    if (files.some((file) => `/${file}`.endsWith(`/${name}`))) continue;
    console.error(`${document} names ${name}, but no file is called so. Correct the name.`);
    process.exitCode = 1;
  }
}
