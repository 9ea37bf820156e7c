/**
 * Something that whoever runs the command can put right. The message is one clear sentence: what is wrong, and what
 * to do next. It is shown without a stack.
 */
export class ReleaseFault extends Error {
  override readonly name = 'ReleaseFault';
}
