import type { AriaRole } from 'react';
import * as z from 'zod/mini';
import { sectionIds, type SectionId } from '../page/shell-api.ts';

/** A role of ARIA: React's type, which lacks one, without its open end `string & {}`. */
type Role<Name = AriaRole | 'paragraph'> = Name extends string
  ? string extends keyof Record<Name, 0>
    ? never
    : Name
  : never;

/** An element: role and exact name (`button "Yearly"`), role (`dialog`), part of a text (`"months free"`), or an id (`#contact`). */
type Target = `${Role} "${string}"` | Role | `"${string}"` | `#${string}`;

/** Limit of a text, in characters. */
const maxLength = 200;
const short = z.maxLength(maxLength, `must have ${maxLength} characters at most`);
const text = z.string().check(z.minLength(1), short);
const target = z
  .string()
  .check(
    short,
    z.regex(
      /^(?:[a-z]+(?: "[^"]+")?|"[^"]+"|#[\w-]+)$/,
      'must be a role with a name (button "Yearly"), a role, a text in quotes, or an id (#contact)',
    ),
  );
const place = { in: z.optional(target) };
const apiPath = z.string().check(short, z.regex(/^\/api\/[\w/-]+$/, 'must be a path below /api/'));

/** One step of a visitor, or one expectation. The functions at the end create them. */
const journeyStep = z.union(
  [
    z.strictObject({ press: target, ...place }),
    z.strictObject({ choose: target, ...place }),
    z.strictObject({ isChosen: target, ...place }),
    z.strictObject({ type: target, text, ...place }),
    z.strictObject({
      key: z.string().check(z.regex(/^[A-Za-z0-9+]{1,40}$/)),
      times: z.optional(z.int().check(z.minimum(1), z.maximum(20))),
    }),
    z.strictObject({
      see: target,
      theme: z.optional(z.enum(['light', 'dark'])),
      icon: z.optional(text),
      ...place,
    }),
    z.strictObject({ notSee: target, ...place }),
    z.strictObject({ hasValue: target, value: z.string().check(short), ...place }),
    z.strictObject({ focusIs: target, ...place }),
    z.strictObject({
      leadsTo: target,
      address: z
        .string()
        .check(
          short,
          z.regex(
            /^(?:\{appHost\}(?:\/|$)|\/(?![/\\]))/,
            'must be a path of the page, or begin with {appHost}',
          ),
        ),
      ...place,
    }),
    z.strictObject({ scrollsTo: target, section: z.enum([...sectionIds, 'top']), ...place }),
    z.strictObject({
      answers: apiPath,
      status: z.int().check(z.minimum(200), z.maximum(599)),
      message: z.optional(text),
      held: z.optional(z.literal(true)),
    }),
    z.strictObject({ sends: apiPath, fields: z.record(text, text) }),
    z.strictObject({ goBack: z.literal(true) }),
    z.strictObject({
      reload: z.string().check(z.regex(/^\/(?![/\\])[\w/-]{0,199}$/, 'must be a path of the page')),
    }),
  ],
  { error: 'is no step of a journey, or names an element in another way than by role and name, text or id' },
);
type JourneyStep = z.infer<typeof journeyStep>;

const journey = z.strictObject({
  /** Window in which it is followed. Default: `wide`, and for a release of its own part also `narrow`. */
  at: z.optional(z.enum(['narrow', 'wide'])),
  /**
   * Page on which it is followed. `early`: the code of the parts comes with the first step that looks, such as `see`, or presses after
   * something was typed. `plain`: without scripts. `translated`: with each text in an element of its own, as translators leave it.
   * Default: once the page has started.
   */
  page: z.optional(z.enum(['early', 'plain', 'translated'])),
  /** `false`: not followed for releases of other parts, because a similar journey is. */
  often: z.optional(z.literal(false)),
  steps: z
    .array(journeyStep)
    .check(z.minLength(1, 'must hold a step'), z.maxLength(40, 'must hold 40 steps at most')),
});
export type Journey = z.infer<typeof journey>;

/** What visitors can do with a part (docs/journeys.md): name → journey. Data, because the release server follows those of all teams. */
export const journeys = z.record(text, journey).check(
  z.refine((all) => Object.keys(all).length > 0, 'must hold a journey'),
  z.refine((all) => Object.keys(all).length <= 40, 'must hold 40 journeys at most'),
);
export type Journeys = z.infer<typeof journeys>;

/** Checks the journeys of a part, of which those without options may be written as a list of steps. */
export function defineJourneys(all: Readonly<Record<string, readonly JourneyStep[] | Journey>>): Journeys {
  const isList = (value: readonly JourneyStep[] | Journey) => Array.isArray(value);
  const complete = Object.entries(all).map(([name, value]) => [
    name,
    isList(value) ? { steps: value } : value,
  ]);
  const { data, error } = z.safeParse(journeys, Object.fromEntries(complete));
  if (data) return data;
  throw new Error(`The journeys are not valid. Correct them:\n${z.prettifyError(error)}`);
}

/** Options of a step. */
interface Place {
  /** Element in which the target is. */
  readonly in?: Target;
}

/** Presses an element. */
export const press = (what: Target, where: Place = {}): JourneyStep => ({ press: what, ...where });
/** Presses an option, which is chosen then. */
export const choose = (what: Target, where: Place = {}): JourneyStep => ({ choose: what, ...where });
/** The option is the chosen one of its group. */
export const isChosen = (what: Target, where: Place = {}): JourneyStep => ({ isChosen: what, ...where });
/** Replaces the text of a field. */
export const type = (what: Target, value: string, where: Place = {}): JourneyStep => ({
  type: what,
  text: value,
  ...where,
});
/** Presses a key, such as `Tab` or `Shift+Tab`. */
export const key = (name: string, times = 1): JourneyStep => ({ key: name, ...(times !== 1 && { times }) });
/** A person can see the element, once it is scrolled to. With a theme, in its colours. With an icon, by its markup: `<circle r="4"`. */
export const see = (
  what: Target,
  where: Place & { readonly theme?: 'light' | 'dark'; readonly icon?: string } = {},
): JourneyStep => ({ see: what, ...where });
/** The element is not shown. */
export const notSee = (what: Target, where: Place = {}): JourneyStep => ({ notSee: what, ...where });
/** A field holds a text. */
export const hasValue = (what: Target, value: string, where: Place = {}): JourneyStep => ({
  hasValue: what,
  value,
  ...where,
});
/** The focus is on the element, or inside of it. */
export const focusIs = (what: Target, where: Place = {}): JourneyStep => ({ focusIs: what, ...where });
/** A press on the element leads to an address: a path, or `{appHost}/…` of the application behind the login. */
export const leadsTo = (what: Target, address: string, where: Place = {}): JourneyStep => ({
  leadsTo: what,
  address,
  ...where,
});
/** A press on the element scrolls to a section, or to the top of the page. */
export const scrollsTo = (what: Target, section: SectionId | 'top', where: Place = {}): JourneyStep => ({
  scrollsTo: what,
  section,
  ...where,
});
/** From now on, the lead service gives this answer on a path. A `held` answer waits for the next {@link sends} step. */
export const answers = (
  path: string,
  answer: { readonly status: number; readonly message?: string; readonly held?: true },
): JourneyStep => ({ answers: path, ...answer });
/** The page has sent these fields to a path of the lead service. */
export const sends = (path: string, fields: Readonly<Record<string, string>>): JourneyStep => ({
  sends: path,
  fields,
});
/** Goes back in the history of the tab, after a step such as {@link scrollsTo} has added to it. */
export const goBack = (): JourneyStep => ({ goBack: true });
/** Opens a path of the page again, as the same visitor. */
export const reload = (path = '/'): JourneyStep => ({ reload: path });
