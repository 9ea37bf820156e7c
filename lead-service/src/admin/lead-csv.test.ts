import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLead } from '../intake/create-lead.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { exportStream } from './export-formats.ts';
import { viewLead } from '../database/lead-view.ts';

/** The CSV of leads with these companies and messages. */
function csvOf(...texts: readonly (readonly [company: string, message: string])[]): Promise<string> {
  const view = viewLead(createLead({ type: 'contact', fields: sampleLead }));
  async function* leads() {
    for (const [company, message] of texts) yield { ...view, company, message };
  }
  return text(exportStream(leads(), 'csv'));
}

for (const [typed, safe] of [
  ['=1+1', "'=1+1"],
  ['\ttext', "'\ttext"],
  ['\rtext', "'\rtext"],
  ['\uff0b1', "'\uff0b1"],
  ['\uff0d1', "'\uff0d1"],
  ['\uff20A1', "'\uff20A1"],
  // With semicolons as separators, a cell or row may start within a text.
  ['hello;=1', "hello;'=1"],
  ['x; " \n =1', `x; "" \n '=1`],
  ['\u200b=1', "\u200b'=1"],
  ['plain, 1+1=2; and a-b', 'plain, 1+1=2; and a-b'],
] as const) {
  test(`lead CSV: ${JSON.stringify(typed)} becomes ${JSON.stringify(safe)}`, async () => {
    const csv = await csvOf([typed, 'last']);
    assert.equal(/"ada@example\.com","([^]*)","last"/.exec(csv)?.[1], safe);
  });
}

const pieces = ['"', ';', ',', '\t', '\n', '\r', ' ', '=', '+', '-', '@', '\uff1d', "'", '\u200b', 'x', '1'];
const anyText = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 12 });

for (const separator of [',', ';', '\t']) {
  test(`lead CSV: no cell starts a formula with ${JSON.stringify(separator)} as separator`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(anyText, anyText), { minLength: 1, maxLength: 3 }),
        async (texts) => {
          const cells = cellsOf(await csvOf(...texts), separator);
          assert.ok(cells.length > texts.length);
          for (const cell of cells) assert.doesNotMatch(cell, /^[\s"\u200b]*[=+\-@\uff1d]/);
        },
      ),
      { numRuns: 300 },
    );
  });
}

/** Parses like a lenient reader: text after a closing quote belongs to the cell, and quotes within a cell are text. */
function cellsOf(csv: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  for (const character of csv.replace(/^\ufeff/, '')) {
    if (state === 'quoted') {
      if (character === '"') state = 'closed';
      else cell += character;
    } else if (character === separator || character === '\r' || character === '\n') {
      cells.push(cell);
      [cell, state] = ['', 'start'];
    } else if (character === '"' && state === 'closed') {
      cell += character;
      state = 'quoted';
    } else if (character === '"' && state === 'start') {
      state = 'quoted';
    } else {
      cell += character;
      state = 'plain';
    }
  }
  return [...cells, cell];
}
