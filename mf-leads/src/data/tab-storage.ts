/** `sessionStorage` that never throws. If storage is blocked or full, nothing is stored. */
export const tabStorage = {
  read(key: string): string | undefined {
    try {
      return sessionStorage.getItem(key) ?? undefined;
    } catch {
      return undefined;
    }
  },

  write(key: string, text: string): void {
    try {
      sessionStorage.setItem(key, text);
    } catch {
      // If storage is blocked or full, callers do without: they need it only after a reload, or for optional data.
    }
  },

  remove(key: string): void {
    try {
      sessionStorage.removeItem(key);
    } catch {
      // If storage is blocked, there is no value.
    }
  },

  /** Reads a string property of a stored JSON object. Storage is untrusted, so other values count as missing. */
  readText(key: string, name: string): string | undefined {
    try {
      const stored: unknown = JSON.parse(tabStorage.read(key) ?? 'null');
      const value: unknown = Reflect.get(Object(stored) as object, name);
      return typeof value === 'string' ? value : undefined;
    } catch {
      return undefined;
    }
  },
};
