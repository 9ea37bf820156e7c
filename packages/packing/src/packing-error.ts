/** An expected failure. The message says what is wrong and what to do. */
export class PackingError extends Error {
  override readonly name = 'PackingError';
}
