class MediaQueryListStub extends EventTarget implements MediaQueryList {
  readonly media: string;
  matches = false;
  onchange = null;

  constructor(media: string) {
    super();
    this.media = media;
  }

  addListener(): never {
    throw new Error('Deprecated: use addEventListener.');
  }

  removeListener(): never {
    throw new Error('Deprecated: use removeEventListener.');
  }
}

/** Media features that a test controls. */
interface SystemSettings {
  /** Changes the result of a query and notifies its listeners. */
  change(query: string, matches: boolean): void;
}

/** Replaces `matchMedia`, which jsdom lacks. At first only the given queries match. */
export function stubMediaQueries(...matching: readonly string[]): SystemSettings {
  const lists = new Map<string, MediaQueryListStub>();
  function listFor(query: string): MediaQueryListStub {
    const list = lists.get(query) ?? new MediaQueryListStub(query);
    lists.set(query, list);
    return list;
  }
  for (const query of matching) listFor(query).matches = true;
  window.matchMedia = listFor;
  return {
    change(query, matches) {
      const list = listFor(query);
      list.matches = matches;
      list.dispatchEvent(new Event('change'));
    },
  };
}
