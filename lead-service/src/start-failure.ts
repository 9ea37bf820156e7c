/** The service cannot start for a reason that its operator can remove. The message says what is wrong and what to do. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
