/** What a sketch shows of a component's markup. */
export interface Outline {
  readonly titles: number;
  /** Number of repeated things, such as cards or quotes. */
  readonly items: number;
  readonly entries: number;
  readonly buttons: number;
  /** Form controls. */
  readonly fields: number;
}

/** Counts elements of prerendered markup. */
export function outlineOf(markup: string): Outline {
  const count = (elements: RegExp) => markup.match(elements)?.length ?? 0;
  return {
    titles: count(/<h[12]\b/g),
    items: Math.max(count(/<h[3-6]\b/g), count(/<(?:figure|article|blockquote)\b/g)),
    entries: count(/<li\b/g),
    buttons: count(/<(?:a|button)\b/g),
    fields: count(/<(?:input|textarea|select)\b/g),
  };
}
