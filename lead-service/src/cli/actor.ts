import { userInfo } from 'node:os';

/** Who types the commands, for the audit log. A container may run under a number that has no name. */
export function commandLineActor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    return `cli:${process.getuid?.() ?? 'unknown'}`;
  }
}
