import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import postcss from 'postcss';
import type { Mutant } from './insert-mutants.ts';
import { marksIn, reasonOf } from './marks.ts';

/** Declarations whose loss a visitor would notice most. */
const noticeable =
  /^(?:display|position|visibility|pointer-events|overflow(?:-[xy])?|z-index|color|background(?:-color)?)$/;

/**
 * The mutants that drop one declaration of a part's own stylesheets.
 *
 * @param built folder with the built stylesheets, which are not minified, and their source maps
 */
export async function styleMutants(root: string, built: string): Promise<readonly Mutant[]> {
  const mutants: Mutant[] = [];
  for (const mapName of (await readdir(built)).filter((name) => name.endsWith('.css.map'))) {
    const style = mapName.replace('.map', '');
    const css = await readFile(join(built, style), 'utf8');
    const json = await readFile(join(built, mapName), 'utf8');
    const map = new SourceMap(JSON.parse(json) as SourceMapPayload);
    postcss.parse(css).walkDecls(noticeable, ({ source: { start, end } = {}, prop, value }) => {
      const origin = start && map.findEntry(start.line - 1, start.column - 1);
      if (!origin || !end || !('originalSource' in origin)) return;
      const [file] = /(?<=\/\.\/)src\/[^:]*\.css$/.exec(origin.originalSource) ?? [];
      if (file === undefined) return;
      const [line, change] = [origin.originalLine + 1, `without ${prop}: ${value}`];
      const marks = marksIn(readFileSync(join(root, file), 'utf8')).filter((mark) => mark.line === line);
      mutants.push({
        id: `${style}#${start.offset}`,
        ...{ file, change, lines: [line, line], span: [start.offset, end.offset], place: '' },
        reason: reasonOf(marks, change),
        style: { file: style, start: start.offset, end: end.offset },
      });
    });
  }
  return mutants;
}
