/** An expected error that the user can correct. Its message says what is wrong, then what to do. It is printed without a stack trace. */
export class ReleaseError extends Error {
  override readonly name: string = this.constructor.name;
  readonly exitCode: number = 1;
}

/**
 * The change of a command is committed, or may be, but not complete. Repeating the command could apply it twice, unless the message
 * asks for that.
 */
export class IncompleteChange extends ReleaseError {
  override readonly exitCode = 3;
}

/** Invalid arguments of a command. The command changed nothing. */
export class UsageError extends ReleaseError {
  override readonly exitCode = 2;
}

/** The check refuses a release. The message lists its violations. Nothing was changed. */
export class RefusedRelease extends ReleaseError {}

/** The check could tell nothing about a version, because the machine is too busy. The code is `EX_TEMPFAIL` of sysexits. */
export class UndecidedCheck extends ReleaseError {
  override readonly exitCode = 75;
}

/** A refused request of HTTP, with the sentence that the client gets, and the exit code of its command. */
export class HttpError extends ReleaseError {
  readonly status: number;
  override readonly exitCode: number;

  constructor(status: number, message: string, exitCode = 1) {
    super(message);
    this.status = status;
    this.exitCode = exitCode;
  }
}
