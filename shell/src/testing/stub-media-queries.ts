/** Replaces `matchMedia`, which jsdom lacks. Only the given queries match. */
export function stubMediaQueries(...matching: readonly string[]): void {
  const matchMedia = (query: string) =>
    Object.assign(new EventTarget(), { matches: matching.includes(query) });
  Object.assign(window, { matchMedia });
}
