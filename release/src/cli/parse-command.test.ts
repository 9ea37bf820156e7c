import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partNames } from '@countersign/contracts/remotes';
import { parseCommand } from './parse-command.ts';

const usage = 'Show the usage with "--help".';
const known = `Known parts: ${partNames.join(', ')}.`;

for (const [line, message] of [
  ['deploy', `error: unknown command 'deploy'. ${usage}`],
  ['promote', `error: missing required argument 'part'. ${usage}`],
  ['promote mf-unknown 1.0.0', `Unknown part "mf-unknown". ${known}`],
  ['canary mf-leads 1.0.0', `error: required option '--percent <number>' not specified. ${usage}`],
  ['canary mf-leads 1.0.0 --percent 101', '--percent must be a number from 0 to 100, but is "101".'],
  ['watch mf-leads --loss 4', '--loss must be a number from 5 to 100, but is "4".'],
  ['promote mf-leads 1.0.0 --in-freeze', '--in-freeze needs a reason. Give it with --why "…".'],
  ['check mf-leads 1.0.0 mf-pricing', 'mf-pricing has no version. Name one after it.'],
  ['check mf-leads 1.0.0 x 1.0.0', `Unknown part "x". ${known}`],
  ['check mf-leads 1.0.0 mf-leads 1.1.0', 'mf-leads is named twice. Name one version of each part.'],
  [
    'watch mf-leads --promote --stages 5,100',
    '--promote is the same as --stages 100. Give only one of both.',
  ],
  [
    'watch mf-leads --loss 50 --without failed leads',
    '--loss is of leads, for which --without leads does not wait. Give only one of both.',
  ],
  ['history --most all', '--most must be a whole number from 1 to 1000000, but is "all".'],
] as const) {
  test(`usage errors: ${line}`, () =>
    assert.throws(() => parseCommand(line.split(' ')), { name: 'UsageError', message }));
}

for (const stages of ['5,25', '25,5,100', '0,100', '5,5,100', '5,200', 'five,100', '']) {
  const message = `--stages must be rising percentages that end with 100, such as 5,25,100, but is "${stages}".`;
  test(`stages: ${stages || 'none'} are refused`, () =>
    assert.throws(() => parseCommand(['watch', 'mf-leads', `--stages=${stages}`]), {
      name: 'UsageError',
      message,
    }));
}
