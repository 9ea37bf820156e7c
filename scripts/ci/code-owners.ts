import * as z from 'zod/mini';

const names = z.array(z.string());

/**
 * `release/owners.json`: part, or `*` for parts that are not listed → names of its owners, or of those with each right; `*` is
 * every releaser.
 */
const owners = z.record(z.string(), z.union([names, z.object({ publish: names, release: names })]));

/** Stands for every part, or for every releaser. */
const every = '*';

const heading = `# Written by "npm run code-owners" from release/owners.json, which the release command reads as well.
# Parts that anyone may release have no line.
`;

/**
 * The text of CODEOWNERS: one line for each part with owners, as the names of teams and people are written there. The line
 * for all files stands first, because the last matching line counts.
 *
 * @param folders top-level folders of the repository
 * @param organization of teams that are named without one: `pricing-team` → `@organization/pricing-team`
 */
export function codeOwners(json: string, folders: readonly string[], organization: string): string {
  const listed = Object.entries(owners.parse(JSON.parse(json))).map(([part, found]) => {
    const all = Array.isArray(found) ? found : [...new Set([...found.publish, ...found.release])];
    return [part, all] as const;
  });
  const lines = listed
    .filter(([, names]) => names.length > 0 && !names.includes(every))
    .sort(([a], [b]) => Number(b === every) - Number(a === every))
    .flatMap(([part, names]) => {
      const handles = names.map((name) => handleOf(name, organization)).join(' ');
      if (part === every) return `* ${handles}`;
      if (!folders.includes(part)) {
        throw new Error(
          `release/owners.json names ${part}, which is no folder. Correct the name, or remove it.`,
        );
      }
      return `/${part}/ ${handles}`;
    });
  return [heading, ...lines.map((line) => `${line}\n`)].join('');
}

/** A name with a slash is a team with its organization, one with `@` inside is a mail address, any other a team. */
function handleOf(name: string, organization: string): string {
  if (!/^@?[\w.-]+([@/][\w.-]+)?$/.test(name)) {
    throw new Error(`"${name}" is no name of a team or person. Correct it in release/owners.json.`);
  }
  if (name.startsWith('@') || /.@/.test(name)) return name;
  return name.includes('/') ? `@${name}` : `@${organization}/${name}`;
}
