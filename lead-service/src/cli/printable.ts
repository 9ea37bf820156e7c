/** Characters that a terminal obeys instead of showing: control characters, and those that turn the direction of text. */
const obeyed = /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu;

/** A visitor's text as it may be shown on a terminal. Line breaks stay. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(obeyed, '\ufffd');
}

/** A value as JSON that parses to the same value. JSON itself escapes some of these characters, not all. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    obeyed,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Text on one line, cut off after so many characters. */
export function printableLine(text: string, most = Infinity): string {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line;
}
