// blind spot (return undefined, getItem(key) ?? undefined, remove, 'null', typeof): no step blocks or damages the storage, but tests do.
/** The result of an access to storage. Undefined if storage is blocked or full, or what it holds is damaged. */
function orUndefined<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    // Callers do without: they need storage only after a reload, or for optional data.
    return undefined;
  }
}

/** `sessionStorage` that never throws. */
export const tabStorage = {
  read: (key: string) => orUndefined(() => sessionStorage.getItem(key) ?? undefined),
  write: (key: string, text: string) => orUndefined(() => sessionStorage.setItem(key, text)),
  remove: (key: string) => orUndefined(() => sessionStorage.removeItem(key)),

  /** Reads a string property of a stored JSON object. Storage is untrusted, so other values count as missing. */
  readText: (key: string, name: string) =>
    orUndefined(() => {
      const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
      const value: unknown = Reflect.get(Object(stored) as object, name);
      return typeof value === 'string' ? value : undefined;
    }),
};
