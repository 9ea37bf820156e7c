interface CodeToken {
  readonly kind: 'key' | 'string' | 'number' | 'verb' | 'header' | 'plain';
  readonly text: string;
}

/** One group for each kind. `key` is before `string`, which matches keys as well. */
const pattern =
  /(?<key>"[^"]*"(?=\s*:))|(?<string>"[^"]*")|(?<verb>^(?:GET|POST|PUT)\b)|(?<header>^[A-Z][\w-]*(?=: ))|(?<number>(?<=: )\d+)/g;

// blind spot: cosmetic, the colours of the sample.
function kindOf(groups: Readonly<Record<string, string | undefined>>): CodeToken['kind'] {
  if (groups['key']) return 'key';
  if (groups['string']) return 'string';
  if (groups['verb']) return 'verb';
  if (groups['header']) return 'header';
  return 'number';
}

/** Splits one line of an HTTP message with a JSON body into tokens for highlighting. */
// blind spot ('plain' →, → true): equivalent, because both have no colour, or add an empty text.
export function highlight(line: string): readonly CodeToken[] {
  const tokens: CodeToken[] = [];
  let end = 0;
  for (const match of line.matchAll(pattern)) {
    if (match.index > end) tokens.push({ kind: 'plain', text: line.slice(end, match.index) });
    tokens.push({ kind: kindOf(match.groups ?? {}), text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < line.length) tokens.push({ kind: 'plain', text: line.slice(end) });
  return tokens;
}
