/** Characters that a terminal obeys instead of showing: control characters, and those that turn the direction of text. */
const obeyed = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Text from outside on one line, fit for a terminal: what the terminal would obey is shown as `\u001b`. */
export function printableLine(text: string): string {
  return text.replace(obeyed, escape);
}

/** The same for text whose line breaks stay. */
export function printable(text: string): string {
  return text.split('\n').map(printableLine).join('\n');
}

/** A value as JSON that is fit for a terminal as well. It parses to the same value. */
export function printableJson(value: unknown): string {
  // Outside of strings the only control characters are line breaks; within them, JSON escapes some characters, not all.
  return printable(JSON.stringify(value, null, 2));
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
