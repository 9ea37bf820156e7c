/**
 * Something that whoever runs the command can put right. The message is one clear sentence: what is wrong, and what
 * to do next. It is shown without a stack.
 */
export class ReleaseFault extends Error {
  override readonly name: string = 'ReleaseFault';
  /** What the process ends with. */
  readonly exitCode: number = 1;
}

/** A command that was called in a way it does not understand. Nothing was done. */
export class UsageFault extends ReleaseFault {
  override readonly name = 'UsageFault';
  override readonly exitCode = 2;
}
