import { ExplainedError } from './explained-error.ts';

/** The service or a command cannot go on for a reason that the operator can fix. The message says what is wrong and what to do. */
export class StartupError extends ExplainedError {
  override readonly name = 'StartupError';
}
