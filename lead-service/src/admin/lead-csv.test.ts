import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLead } from '../intake/create-lead.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { exportStream } from './export-formats.ts';
import { viewLead } from '../database/lead-view.ts';

/** The company of a lead in the CSV, between its quotes. Fails if the text ends its cell. */
async function companyInCsv(company: string): Promise<string> {
  const view = viewLead(createLead({ type: 'contact', fields: sampleLead }));
  async function* leads() {
    yield { ...view, company, message: 'last' };
  }
  const csv = await text(exportStream(leads(), 'csv'));
  const [, written = assert.fail()] = /"ada@example\.com","((?:[^"]|"")*)","last"/.exec(csv) ?? [];
  return written;
}

for (const [typed, safe] of [
  ['=1+1', "'=1+1"],
  // With semicolons as separators, a cell or row may start within a text.
  ['hello;=1', "hello;'=1"],
  ['x; " \n =1', `x; "" \n '=1`],
  ['\u200b=1', "\u200b'=1"],
  ['plain, 1+1=2; and a-b', 'plain, 1+1=2; and a-b'],
] as const) {
  test(`lead CSV: ${JSON.stringify(typed)} becomes ${JSON.stringify(safe)}`, async () => {
    assert.equal(await companyInCsv(typed), safe);
  });
}

const signs = ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20'];
const pieces = [...signs, '"', ';', ',', '\t', '\n', '\r', ' ', "'", '\u200b', 'x', '1'];
const anyText = fc.string({ unit: fc.constantFrom(...pieces), minLength: 1, maxLength: 12 });

test('lead CSV: no text starts a formula, wherever a spreadsheet splits it into cells', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (typed) => {
      const cells = (await companyInCsv(typed)).split(/[;\t\r\n]/);
      for (const cell of cells) assert.doesNotMatch(cell, /^[\s"\u200b]*[=+\-@\uff1d\uff0b\uff0d\uff20]/);
    }),
    { numRuns: 900 },
  );
});
