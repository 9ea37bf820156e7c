import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDirectory } from '../../platform/child-programs.ts';
import type { Measurement } from '../measure/measure-variants.ts';
import { pageReport } from './page-report.ts';

const documentFile = join(projectDirectory, 'docs', 'page-speed.md');
const markers = {
  begin: '<!-- figures: written by npm run bench -- page --write -->',
  end: '<!-- /figures -->',
};

/** Writes the figures of a measurement into `docs/page-speed.md`. */
export async function writePageDocument(measurement: Measurement): Promise<void> {
  const text = await readFile(documentFile, 'utf8');
  const [before, rest] = text.split(markers.begin, 2);
  const after = rest?.split(markers.end, 2)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`${documentFile} must hold ${markers.begin} and, after it, ${markers.end}.`);
  }
  const figures = `\n\n\`\`\`\n${pageReport(measurement)}\n\`\`\`\n\n`;
  await writeFile(documentFile, before + markers.begin + figures + markers.end + after);
}
