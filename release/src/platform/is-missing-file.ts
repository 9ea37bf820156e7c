/** Whether a file system error is `ENOENT`. */
export function isMissingFile(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT');
}

/** Whether an error of Node has this code. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
