const noAccess =
  'cannot be accessed by this user. Change the permissions of it or of its folder, or run the command as the owner.';

/** Error code of the file system → what is wrong, and what to do. */
const messages: ReadonlyMap<string, string> = new Map([
  ['EACCES', noAccess],
  ['EPERM', noAccess],
  ['EROFS', 'is on a read-only file system. Mount it writable.'],
  ['ENOSPC', 'is on a full disk. Free some space.'],
  ['EDQUOT', 'is on a disk whose quota is used up. Free some space.'],
  ['EEXIST', 'cannot become a folder, because a file has its name. Move the file away.'],
  ['ENOTDIR', 'is below a file, not a folder. Move the file away.'],
]);

/** Errors of a write, which names no file. */
const fullDisk: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** Message for an error of the file system that the user can correct; `undefined` for other errors. */
export function fileErrorMessage(error: unknown): string | undefined {
  const code = errorCode(error);
  const message = messages.get(code ?? '');
  const named = error instanceof Error && 'path' in error ? error.path : undefined;
  const path = named ?? (fullDisk.includes(code) ? 'A file' : undefined);
  return message !== undefined && typeof path === 'string' ? `${path} ${message}` : undefined;
}

/** Message of any error, as sentences. */
export function errorMessage(error: unknown): string {
  const message = fileErrorMessage(error) ?? (error instanceof Error ? error.message : String(error));
  return message.endsWith('.') ? message : `${message}.`;
}

export function isMissingFile(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT');
}

/** Resolves to `undefined` if a file is missing. */
export async function undefinedIfMissing<Found>(search: Promise<Found>): Promise<Found | undefined> {
  try {
    return await search;
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

export function hasErrorCode(error: unknown, code: string): boolean {
  return errorCode(error) === code;
}

/** The code of an error of Node, such as `EACCES`; `undefined` for other errors. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
