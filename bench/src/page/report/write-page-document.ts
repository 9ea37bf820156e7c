import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDirectory } from '../assembly/variant-config.ts';
import type { Measurement } from '../measure/measure-variants.ts';
import { isProfileName } from '../measure/profiles.ts';
import { pageChart } from './page-chart.ts';
import { pageReport } from './page-report.ts';

const documentFile = join(projectDirectory, 'docs', 'page-speed.md');
const pictureFolder = join(projectDirectory, 'docs', 'pictures');
const markers = {
  begin: '<!-- figures: written by npm run bench -- page --write -->',
  end: '<!-- /figures -->',
};

/** Writes the figures of a measurement into `docs/page-speed.md`, and its chart into the pictures folder. */
export async function writePageDocument(measurement: Measurement): Promise<void> {
  const [measured] = Object.entries(measurement.profiles);
  if (!measured || !isProfileName(measured[0])) throw new Error('Nothing was measured.');
  const [profile, rounds] = measured;
  const text = await readFile(documentFile, 'utf8');
  const [before, rest] = text.split(markers.begin, 2);
  const after = rest?.split(markers.end, 2)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`${documentFile} must hold ${markers.begin} and, after it, ${markers.end}.`);
  }
  const picture = '![Bars of bytes and times for each way](pictures/page-speed.svg)';
  const figures = `\n\n${picture}\n\n\`\`\`\n${pageReport(measurement)}\n\`\`\`\n\n`;
  await writeFile(documentFile, before + markers.begin + figures + markers.end + after);
  await writeFile(join(pictureFolder, 'page-speed.svg'), pageChart(profile, rounds));
}
