import { userInfo } from 'node:os';

/** The actor of commands in the audit log. Falls back to the user id, because a container may have no user name. */
export function commandLineActor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    return `cli:${process.getuid?.() ?? 'unknown'}`;
  }
}
