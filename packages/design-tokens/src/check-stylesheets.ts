/** Lint step: `node check-stylesheets.ts <folder> …` reports custom properties that are not design tokens. */
import { globSync, readFileSync } from 'node:fs';
import { unknownCustomProperties } from './unknown-custom-properties.ts';

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
