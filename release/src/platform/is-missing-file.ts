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
