import { highlight } from './highlight.ts';

test('a line of JSON is split into key, value and what stands between', () => {
  expect(highlight('  "remaining": 2, "next": "Jonas Berg"')).toEqual([
    { kind: 'plain', text: '  ' },
    { kind: 'key', text: '"remaining"' },
    { kind: 'plain', text: ': ' },
    { kind: 'number', text: '2' },
    { kind: 'plain', text: ', ' },
    { kind: 'key', text: '"next"' },
    { kind: 'plain', text: ': ' },
    { kind: 'string', text: '"Jonas Berg"' },
  ]);
});

test('the first line and the headers of a message are recognised', () => {
  expect(highlight('POST /v1/documents HTTP/1.1')).toEqual([
    { kind: 'verb', text: 'POST' },
    { kind: 'plain', text: ' /v1/documents HTTP/1.1' },
  ]);
  expect(highlight('Host: api.signing.example')[0]).toEqual({ kind: 'header', text: 'Host' });
});

test('nothing is lost or added', () => {
  const line = 'Signature: t=1718013420,v1=5c0e7a';
  expect(
    highlight(line)
      .map(({ text }) => text)
      .join(''),
  ).toBe(line);
  expect(highlight('')).toEqual([]);
});
