import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { ObjectStore } from './object-store.ts';
import { encodeJson, readJson } from './stored-json.ts';

/*
 * How `prune` and the releasers see each other, without a lock. `prune` writes a plan, looks again at what is needed,
 * and only then decides to remove. Whoever needs an item of a plan decides to keep it. A decision is an object that is
 * created once, so there is only one, whoever comes first. A plan without a decision blocks no release.
 */

const folder = 'removals/';
const planKey = (id: string) => `${folder}${id}.plan.json`;
const decisionKey = (id: string) => `${folder}${id}.decision.json`;

/** What the keys of each item begin with, such as `pages/r-000000000000/`. */
const items = z.array(z.string());
const plan = z.object({ at: z.string(), items });
const decision = z.object({ at: z.string(), outcome: z.enum(['remove', 'keep']), items });

/** A removal that was planned, and what was decided about it. */
export interface PlannedRemoval {
  readonly id: string;
  /** ISO 8601, UTC. `undefined` when nobody can read it. */
  readonly at: string | undefined;
  /** Whether it may remove an item. A plan that is damaged may remove any, one that is gone none. */
  names(item: string): boolean;
  /** Items that are being removed, as far as that is decided. */
  readonly removed: readonly string[];
  /** Keys of what is stored of it. */
  readonly keys: readonly string[];
}

/** Announces what is to be removed. Returns the name of the plan. */
export async function planRemoval(
  objects: ObjectStore,
  planned: readonly string[],
  at: Date,
): Promise<string> {
  const id = randomUUID();
  await objects.create(planKey(id), encodeJson({ at: at.toISOString(), items: planned }));
  return id;
}

/** Decides a plan. `kept`: it was decided before, or its plan is gone, so nothing of it may be removed. */
export async function decideRemoval(
  objects: ObjectStore,
  id: string,
  removed: readonly string[],
  at: Date,
): Promise<'removed' | 'kept'> {
  const content = { at: at.toISOString(), outcome: 'remove', items: removed };
  if ((await objects.create(decisionKey(id), encodeJson(content))) === 'exists') return 'kept';
  return (await isPlanned(objects, id)) ? 'removed' : 'kept';
}

/** Whether a plan is still there. Whoever finds it left over takes it away. */
export async function isPlanned(objects: ObjectStore, id: string): Promise<boolean> {
  return (await objects.read(planKey(id))) !== undefined;
}

/** Stops a plan that is not decided yet. */
export async function stopRemoval(objects: ObjectStore, id: string): Promise<void> {
  const content = { at: new Date().toISOString(), outcome: 'keep', items: [] };
  await objects.create(decisionKey(id), encodeJson(content));
}

/** Takes a plan away, and then the decision: without a plan, a decision that comes late means nothing. */
export async function endRemoval(objects: ObjectStore, id: string): Promise<void> {
  await objects.remove([planKey(id)]);
  await objects.remove([decisionKey(id)]);
}

/** Every removal that was planned and has not ended. */
export async function plannedRemovals(objects: ObjectStore): Promise<readonly PlannedRemoval[]> {
  const keys = await objects.list(folder);
  const ids = keys.map((key) => /^removals\/([0-9a-f-]+)\.(?:plan|decision)\.json$/.exec(key)?.[1]);
  return Promise.all(
    [...new Set(ids)].flatMap((id) => {
      if (id === undefined) return [];
      const own = [planKey(id), decisionKey(id)].filter((key) => keys.includes(key));
      return readRemoval(objects, id, own);
    }),
  );
}

async function readRemoval(
  objects: ObjectStore,
  id: string,
  keys: readonly string[],
): Promise<PlannedRemoval> {
  // What is damaged must stop no release: whether an item is whole shows in the store as well.
  const [planned, decided] = await Promise.all([
    readJson(objects, planKey(id), plan).catch(() => 'damaged' as const),
    readJson(objects, decisionKey(id), decision).catch(() => undefined),
  ]);
  return {
    id,
    at: planned === 'damaged' ? undefined : (planned ?? decided)?.value.at,
    names: (item) => planned === 'damaged' || planned?.value.items.includes(item) === true,
    removed: decided?.value.outcome === 'remove' ? decided.value.items : [],
    keys,
  };
}

/** Keeps items from being removed, unless that is decided. Returns those that are being removed. */
export async function keepFromRemoval(
  objects: ObjectStore,
  needed: readonly string[],
): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const { id, names, keys } of await plannedRemovals(objects)) {
    if (!needed.some(names)) continue;
    await stopRemoval(objects, id);
    const { removed } = await readRemoval(objects, id, keys);
    lost.push(...removed.filter((item) => needed.includes(item)));
  }
  return lost;
}
