/** Characters that a terminal obeys instead of showing: control characters, and those that turn the direction of text. */
// eslint-disable-next-line no-control-regex -- it is these that must not get through
const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A visitor's text as it may be shown on a terminal. Line breaks stay. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(obeyed, '\ufffd');
}

/** The same on one line, cut off after so many characters. */
export function printableLine(text: string, most: number): string {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line;
}
