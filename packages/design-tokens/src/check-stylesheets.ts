/** Lint step: `node check-stylesheets.ts <folder> …` names every use of a custom property that is no token. */
import { globSync, readFileSync } from 'node:fs';
import { unknownCustomProperties } from './unknown-custom-properties.ts';

const files = process.argv.slice(2).flatMap((folder) => globSync(`${folder}/src/**/*.css`));
const faults = files.flatMap((file) =>
  unknownCustomProperties(readFileSync(file, 'utf8')).map(({ name, line }) => `${file}:${line} --${name}`),
);

if (faults.length > 0) {
  console.error(
    `These custom properties do not exist. Use a name from packages/design-tokens/src/tokens.ts:\n  ${faults.join('\n  ')}`,
  );
  process.exitCode = 1;
}
