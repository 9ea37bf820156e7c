import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const digits = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_';

/**
 * Generates the class and animation names of a part's CSS Modules: a prefix per stylesheet, and the number of the name in it.
 * A page repeats each prefix many times, so compression leaves little more than the numbers.
 *
 * The prefix is a hash of the part's name and the stylesheet, so two versions in one page share a name only if the styles are
 * equal. A version with new texts keeps its names, and a browser that has the version before loads a small delta.
 *
 * @param uniqueName name of the build, with its version
 * @returns a function of a stylesheet's absolute path and a name in it
 */
export function moduleClassNames(uniqueName: string): (stylesheet: string, name: string) => string {
  const [part = ''] = uniqueName.split('@');
  const names = new Map<string, ReadonlyMap<string, string>>();
  return (stylesheet, name) => {
    const namesHere = names.get(stylesheet) ?? namesIn(part, readFileSync(stylesheet, 'utf8'));
    names.set(stylesheet, namesHere);
    const found = namesHere.get(name);
    if (found === undefined) throw new Error(`${stylesheet} declares no class or animation "${name}".`);
    return found;
  };
}

function namesIn(part: string, content: string): ReadonlyMap<string, string> {
  const prefix = createHash('sha256').update(`${part}\n${content}`).digest('base64url').slice(0, 5);
  const declared = content.matchAll(/(?:\.|@keyframes\s+)([A-Za-z_][\w-]*)/g);
  const distinct = [...new Set(Array.from(declared, ([, name = '']) => name))];
  return new Map(distinct.map((name, number) => [name, `_${prefix}${toDigits(number)}`]));
}

function toDigits(number: number): string {
  const last = digits.charAt(number % digits.length);
  return number < digits.length ? last : toDigits(Math.floor(number / digits.length)) + last;
}
