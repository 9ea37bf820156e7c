/** The result of an access to storage. Undefined if storage is blocked or full, or what it holds is damaged. */
function orUndefined<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    // Callers do without: they need storage only after a reload, or for optional data.
    return undefined; // blind spot: no step blocks the storage, but tests do.
  }
}

/** `sessionStorage` that never throws. */
// blind spot (getItem, remove, 'null', typeof): no step damages the storage, or sends twice, but tests do.
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
