/** Lint step: `node check-stylesheets.ts <folder> …` reports custom properties that are not design tokens. */
import { globSync, readFileSync } from 'node:fs';
import { tokens } from './tokens.ts';

/** A use of an undefined custom property. */
interface UnknownCustomProperty {
  readonly name: string;
  /** Line in the stylesheet, from 1. */
  readonly line: number;
}

/** Radix UI sets these on its own elements. */
const setByRadix = /^radix-/;

/** Finds custom properties in a stylesheet that are neither tokens nor defined in the same file. */
export function unknownCustomProperties(stylesheet: string): readonly UnknownCustomProperty[] {
  const own = new Set([...stylesheet.matchAll(/(?:^|[\s{;])--([\w-]+)\s*:/g)].map(([, name]) => name));
  return stylesheet.split('\n').flatMap((text, index) =>
    [...text.matchAll(/var\(\s*--([\w-]+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !(name in tokens) && !own.has(name) && !setByRadix.test(name))
      .map((name) => ({ name, line: index + 1 })),
  );
}

if (import.meta.main) {
  const files = process.argv.slice(2).flatMap((folder) => globSync(`${folder}/src/**/*.css`));
  const errors = files.flatMap((file) =>
    unknownCustomProperties(readFileSync(file, 'utf8')).map(({ name, line }) => `${file}:${line} --${name}`),
  );
  if (errors.length > 0) {
    console.error(
      `These custom properties do not exist. Use a name from packages/design-tokens/src/tokens.ts:\n  ${errors.join('\n  ')}`,
    );
    process.exitCode = 1;
  }
}
