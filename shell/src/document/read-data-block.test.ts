import { siteConfig } from '@countersign/contracts/site-config';
import { addDataBlock } from '../testing/add-data-block.ts';
import { sampleConfig } from '../testing/sample-config.ts';
import { readDataBlock } from './read-data-block.ts';

beforeEach(() => document.head.replaceChildren());

const read = () => readDataBlock('site-config', siteConfig);

test('the content of a data block is what the composer wrote', () => {
  addDataBlock('site-config', sampleConfig);
  expect(read()).toEqual(sampleConfig);
});

test.each(['missing', 'empty'])('a data block that is %s is named, with what to do', (state) => {
  if (state === 'empty') addDataBlock('site-config', '');
  expect(read).toThrow('The page has no data block "site-config". Compose it again.');
});

test('a data block of another shape is named, with everything that is wrong', () => {
  addDataBlock('site-config', { ...sampleConfig, appHost: 'app.example', defaultTheme: 'sepia' });
  expect(read).toThrow(/^The data block "site-config" is not valid: [^]*appHost[^]*defaultTheme/);
});
