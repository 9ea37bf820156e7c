/** A line of Playwright's snapshot: `- radio "Monthly" [checked]`, `- paragraph: Most Popular`. */
const lineOfSnapshot = /^( *)- '?([a-z]+)(?: "([^"]*)")?((?: \[[^\]]*\])*)'?:? ?"?(.*?)"?$/;

/** Roles of elements in which a step may look for another one. */
const places = /^(?:article|banner|contentinfo|dialog|form|group|navigation|radiogroup|region|row|table)$/;

/** How many steps are suggested for a mutant. */
const maxSteps = 2;

/** Steps of a journey that the page passes, and the page with a mutant does not, from what assistive technology sees of both. */
export function suggestSteps(before: string, after: string): readonly string[] {
  const kept = new Set(elementsOf(after).map(({ path }) => path));
  const steps = elementsOf(before).flatMap(({ path, role, name, state, text, place }) => {
    if (kept.has(path)) return [];
    const where = place === undefined ? '' : `, { in: '${place}' }`;
    if (name !== '' && kept.has(path.replace(state, '')) && /checked|selected/.test(state))
      return [`isChosen('${role} "${name}"'${where})`];
    const target = name !== '' ? `${role} "${name}"` : text === '' ? '' : `"${text}"`;
    return target === '' || target.length > 180 || target.includes("'") ? [] : [`see('${target}'${where})`];
  });
  return [...new Set(steps)].slice(0, maxSteps);
}

function elementsOf(snapshot: string) {
  const around: {
    readonly depth: number;
    readonly line: string;
    readonly target: string;
    readonly role: string;
  }[] = [];
  return snapshot.split('\n').flatMap((line) => {
    const [found, indent = '', role = '', name = '', state = '', text = ''] = lineOfSnapshot.exec(line) ?? [];
    if (found === undefined) return [];
    while ((around.at(-1)?.depth ?? -1) >= indent.length) around.pop();
    const path = [...around.map((each) => each.line), line.trim()].join('\n');
    const place = around.findLast((each) => each.target !== '' && places.test(each.role))?.target;
    around.push({
      depth: indent.length,
      line: line.trim(),
      role,
      target: name === '' ? '' : `${role} "${name}"`,
    });
    return [{ path, role, name, state, text, place }];
  });
}

/** The step that reaches a change of an event handler, derived from the keys or calls that the change names. */
export function suggestUse(change: string): readonly string[] {
  const [, key] = /["'](Escape|Tab|Enter|Home|End|Arrow\w+)["']/.exec(change) ?? [];
  if (key !== undefined) return [`key('${key}')`];
  return /\.focus\(/.test(change) ? ['focusIs(…)'] : [];
}
