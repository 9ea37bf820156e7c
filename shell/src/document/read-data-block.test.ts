import type { SiteConfig } from '@countersign/contracts/site-config';
import { addDataBlock } from '../testing/add-data-block.ts';
import { sampleConfig } from '../testing/sample-config.ts';
import { readDataBlock } from './read-data-block.ts';

beforeEach(() => document.head.replaceChildren());

const read = () => readDataBlock<SiteConfig>('site-config');

test('data block: returns the content from the composer', () => {
  addDataBlock('site-config', sampleConfig);
  expect(read()).toEqual(sampleConfig);
});

test.each(['missing', 'empty'])('data block: a %s one is an error with a hint', (state) => {
  if (state === 'empty') addDataBlock('site-config', '');
  expect(read).toThrow('The page has no data block "site-config". Compose it again.');
});
