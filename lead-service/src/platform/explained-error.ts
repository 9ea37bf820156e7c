/** An error of this service whose message says all to its reader. Not one of a database or connection. */
export class ExplainedError extends Error {}

/** The service or a command cannot go on for a reason that the operator can fix. The message says what is wrong and what to do. */
export class StartupError extends ExplainedError {
  override readonly name = 'StartupError';
}
