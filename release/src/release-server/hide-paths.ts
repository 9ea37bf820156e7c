/** Absolute path on the server's machine → what identities read in its place. The first that matches counts. */
export type PathNames = readonly (readonly [path: string, name: string])[];

/** Replaces paths of the server's machine in a text for an identity. Paths of the site, which may end like one, stay. */
export function hidePaths(text: string, names: PathNames): string {
  return names.reduce((shown, [path, name]) => {
    const escaped = path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return shown.replaceAll(new RegExp(`(?<![\\w./-])(?:file://)?${escaped}(?![\\w-])`, 'g'), () => name);
  }, text);
}
