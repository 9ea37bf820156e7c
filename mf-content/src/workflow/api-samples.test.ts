import { apiSamples } from './api-samples.ts';

test.each(apiSamples)('$title is sent to a host that cannot exist, with a body that is JSON', ({ code }) => {
  const [head = '', body = ''] = code.split('\n\n');
  expect(head).toMatch(/^Host: [\w.]+\.example$/m);
  expect(() => void JSON.parse(body)).not.toThrow();
});
