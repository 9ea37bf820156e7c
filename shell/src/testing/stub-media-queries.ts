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

/** The settings of the visitor's system, which a test decides. */
export interface SystemSettings {
  /** Changes a setting while the page is open. */
  change(query: string, matches: boolean): void;
}

/** jsdom has no media queries of its own. Of those asked for, only the given ones match at first. */
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
