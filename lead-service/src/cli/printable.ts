/** Control characters and bidirectional controls, which change the state of a terminal. */
const controlCharacters = /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu;

/** Replaces control characters in user text for a terminal. Keeps line breaks. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(controlCharacters, '\ufffd');
}

/** Formats JSON for a terminal. Escapes the control characters that `JSON.stringify` does not. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    controlCharacters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** User text on one line, truncated to `max` characters. */
export function printableLine(text: string, max = Infinity): string {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : line;
}
