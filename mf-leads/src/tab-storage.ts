/** Texts that last as long as the tab, across reloads. Storage can be forbidden or full: then nothing is kept. */
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
      // What cannot be kept lasts as long as the page.
    }
  },

  remove(key: string): void {
    try {
      sessionStorage.removeItem(key);
    } catch {
      // What could not be stored need not be removed.
    }
  },

  /** A text in the JSON object under a key. Anyone can write to a tab's storage: what is no such object has none. */
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
