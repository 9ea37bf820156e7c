/** A line of Playwright's snapshot: `- radio "Monthly" [checked]`, `- paragraph: Most Popular`. */
const lineOfSnapshot = /^( *)- '?([a-z]+)(?: "([^"]*)")?((?: \[[^\]]*\])*)'?:? ?"?(.*?)"?$/;

/** Roles of elements in which a step may look for another one. */
const places = /^(?:article|banner|contentinfo|dialog|form|group|navigation|radiogroup|region|row|table)$/;

/**
 * What a journey may do to notice a mutant, from what assistive technology sees of the page in a wide and in a narrow window, without and
 * with the mutant, or from the key or the call that the change names.
 */
export function suggestSteps(
  before: readonly string[],
  after: readonly string[],
  change: string,
): string | undefined {
  const [wide = [], narrow = []] = before.map((snapshot, at) => lostSteps(snapshot, after[at] ?? ''));
  if (wide.length > 0) return `a step that may notice it: ${wide.join(', ')}`;
  if (narrow.length > 0) return `a step that may notice it, at: 'narrow': ${narrow.join(', ')}`;
  const [, key] = /["'](Escape|Tab|Enter|Home|End|Arrow\w+)["']/.exec(change) ?? [];
  if (key !== undefined) return `a step that reaches it: key('${key}')`;
  return /\.focus\(/.test(change) ? 'a step that may notice it: focusIs, with the element' : undefined;
}

/** Two steps of a journey at most that the page passes, and the page with a mutant does not. */
function lostSteps(before: string, after: string): readonly string[] {
  const kept = new Set(elementsOf(after).map(({ path }) => path));
  const steps = elementsOf(before).flatMap(({ path, role, name, state, text, place }) => {
    if (kept.has(path)) return [];
    const where = place === undefined ? '' : `, { in: '${place}' }`;
    if (name !== '' && kept.has(path.replace(state, '')) && /checked|selected/.test(state))
      return [`isChosen('${role} "${name}"'${where})`];
    const target = name !== '' ? `${role} "${name}"` : text === '' ? '' : `"${text}"`;
    // No target has quotes or a backslash in its name.
    const isWritable = !/['"\\]/.test(name + text) && !/['\\]/.test(place ?? '');
    return target !== '' && target.length <= 180 && isWritable ? [`see('${target}'${where})`] : [];
  });
  return [...new Set(steps)].slice(0, 2);
}

function elementsOf(snapshot: string) {
  const around: { readonly depth: number; readonly path: string; readonly place: string | undefined }[] = [];
  // No step sees a level, or whether something is expanded.
  const lines = snapshot.replaceAll(/ \[(?!checked|selected)[^\]]*\]/g, '').split('\n');
  return lines.flatMap((line) => {
    const [found, indent = '', role = '', name = '', state = '', text = ''] = lineOfSnapshot.exec(line) ?? [];
    if (found === undefined) return [];
    while ((around.at(-1)?.depth ?? -1) >= indent.length) around.pop();
    const outer = around.at(-1);
    const path = `${outer?.path ?? ''}\n${line.trim()}`;
    const place = name !== '' && places.test(role) ? `${role} "${name}"` : outer?.place;
    around.push({ depth: indent.length, path, place });
    return [{ path, role, name, state, text, place: outer?.place }];
  });
}
