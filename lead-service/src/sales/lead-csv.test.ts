import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createLead } from '../lead.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { exportStream } from './export-formats.ts';
import { viewLead } from './lead-view.ts';

async function cellOf(message: string): Promise<string> {
  const view = viewLead(createLead({ type: 'contact', fields: sampleLead }));
  async function* leads() {
    yield { ...view, id: 'first', company: message, message: 'last' };
  }
  const csv = await text(exportStream(leads(), 'csv'));
  return /"ada@example\.com","([^]*)","last"/.exec(csv)?.[1] ?? '';
}

for (const [typed, safe] of [
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "\t'=1"],
  ['\ttext', "'\ttext"],
  ['\rtext', "'\rtext"],
  ['  =1', "  '=1"],
  ['\uff1d1', "'\uff1d1"],
  ['\uff0b1', "'\uff0b1"],
  ['\uff0d1', "'\uff0d1"],
  ['\uff20A1', "'\uff20A1"],
  // A spreadsheet that expects semicolons starts a cell, or a row, in the middle of a text.
  ['hello;=1', "hello;'=1"],
  ['hello\n=1', "hello\n'=1"],
  ['hello\t=1', "hello\t'=1"],
  ['"=1', '""=1'],
  ['plain, 1+1=2; and a-b', 'plain, 1+1=2; and a-b'],
] as const) {
  test(`${JSON.stringify(typed)} is ${JSON.stringify(safe)} in a spreadsheet`, async () => {
    assert.equal(await cellOf(typed), safe);
  });
}
