import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { ObjectStore } from './object-store.ts';
import { encodeJson, readJson, unlessDamaged } from './stored-json.ts';

/*
 * Coordinates `prune` and concurrent releases without a lock. `prune` writes a plan, checks again which items are needed,
 * and then decides to remove them. A release that needs an item of a plan decides to keep it. Each plan has one decision,
 * because the decision is an object that is created once. A plan without a decision does not block releases.
 */

const folder = 'removals/';
const planKey = (id: string) => `${folder}${id}.plan.json`;
const decisionKey = (id: string) => `${folder}${id}.decision.json`;

/** Key prefixes of the items, such as `pages/r-000000000000/`. */
const items = z.array(z.string());
const plan = z.object({ at: z.string(), items });
const decision = z.object({ at: z.string(), outcome: z.enum(['remove', 'keep']), items });

/** A planned removal, with its decision. */
export interface PlannedRemoval {
  readonly id: string;
  /** ISO 8601, UTC. `undefined` if the plan is damaged. */
  readonly at: string | undefined;
  /** Whether the plan may contain an item. A damaged plan may contain any item, a deleted one none. */
  names(item: string): boolean;
  /** Items that the decision removes. */
  readonly removed: readonly string[];
  /** Keys of its stored objects. */
  readonly keys: readonly string[];
}

/** Writes a plan. Returns its ID. */
export async function planRemoval(
  objects: ObjectStore,
  planned: readonly string[],
  at: Date,
): Promise<string> {
  const id = randomUUID();
  await objects.create(planKey(id), encodeJson({ at: at.toISOString(), items: planned }));
  return id;
}

/** Decides to remove the items of a plan. `kept`: the plan was decided or deleted before, so nothing may be removed. */
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

/** Whether a plan exists. Another `prune` deletes abandoned plans. */
export async function isPlanned(objects: ObjectStore, id: string): Promise<boolean> {
  return (await objects.read(planKey(id))) !== undefined;
}

/** Decides to keep the items of a plan, if it is undecided. */
export async function stopRemoval(objects: ObjectStore, id: string): Promise<void> {
  const content = { at: new Date().toISOString(), outcome: 'keep', items: [] };
  await objects.create(decisionKey(id), encodeJson(content));
}

/** Deletes a plan, then its decision, because a late decision without a plan has no effect. */
export async function endRemoval(objects: ObjectStore, id: string): Promise<void> {
  await objects.remove([planKey(id)]);
  await objects.remove([decisionKey(id)]);
}

/** All removals that have not ended. */
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
  // Damaged documents must not block releases, which check the files of an item anyway.
  const [planned, decided] = await Promise.all([
    unlessDamaged(readJson(objects, planKey(id), plan).then((found) => found ?? 'missing')),
    unlessDamaged(readJson(objects, decisionKey(id), decision)),
  ]);
  return {
    id,
    at: planned && (planned === 'missing' ? decided : planned)?.value.at,
    names: (item) => !planned || (planned !== 'missing' && planned.value.items.includes(item)),
    removed: decided?.value.outcome === 'remove' ? decided.value.items : [],
    keys,
  };
}

/** Stops undecided removals of the needed items. Returns the items whose removal was decided already. */
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
