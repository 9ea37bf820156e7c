/** An expected failure of the development server. The message says what is wrong and what to do. */
export class DevelopmentError extends Error {
  override readonly name = 'DevelopmentError';
}
