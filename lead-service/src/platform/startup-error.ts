/** The service or a command cannot go on for a reason that the operator can fix. The message says what is wrong and what to do. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
