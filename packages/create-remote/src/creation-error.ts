/** An expected failure. Its message says what is wrong, and what to do. */
export class CreationError extends Error {
  override readonly name = 'CreationError';
}
