import type { SiteConfig } from '@countersign/contracts/site-config';
import { addDataBlock } from '../testing/add-data-block.ts';
import { sampleConfig } from '../testing/sample-config.ts';
import { readDataBlock } from './read-data-block.ts';

beforeEach(() => document.head.replaceChildren());

const read = () => readDataBlock<SiteConfig>('site-config');

test('the content of a data block is what the composer wrote', () => {
  addDataBlock('site-config', sampleConfig);
  expect(read()).toEqual(sampleConfig);
});

test.each(['missing', 'empty'])('a data block that is %s is named, with what to do', (state) => {
  if (state === 'empty') addDataBlock('site-config', '');
  expect(read).toThrow('The page has no data block "site-config". Compose it again.');
});
