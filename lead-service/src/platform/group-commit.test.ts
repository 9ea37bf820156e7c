import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { GroupCommit } from './group-commit.ts';

const mostAtOnce = 3;

describe('a group commit', () => {
  test('commits together what arrives together, and what arrives meanwhile in the next group', async () => {
    const groups: (readonly string[])[] = [];
    const meanwhile: Promise<string>[] = [];
    const commits = new GroupCommit<string, string>(async (group) => {
      groups.push(group);
      if (groups.length === 1) meanwhile.push(commits.add('c'), commits.add('d'));
      return group.map((item) => item.toUpperCase());
    }, mostAtOnce);

    const outcomes = await Promise.all([commits.add('a'), commits.add('b')]);

    assert.deepEqual(outcomes, ['A', 'B']);
    assert.deepEqual(await Promise.all(meanwhile), ['C', 'D']);
    assert.deepEqual(groups, [
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  test('answers nobody before the own group is committed', async () => {
    const begun = Promise.withResolvers<undefined>();
    const committed = Promise.withResolvers<undefined>();
    const commits = new GroupCommit<string, string>(async (group) => {
      begun.resolve(undefined);
      await committed.promise;
      return group;
    }, mostAtOnce);
    const events: string[] = [];
    const adding = commits.add('a').then(() => events.push('answered'));
    await begun.promise;
    await setImmediate();
    events.push('committed');
    committed.resolve(undefined);
    await adding;
    assert.deepEqual(events, ['committed', 'answered']);
  });

  test('takes them in the order of arrival, so many at a time', async () => {
    const groups: (readonly number[])[] = [];
    const commits = new GroupCommit<number, number>(async (group) => {
      groups.push(group);
      return group;
    }, mostAtOnce);
    const items = [1, 2, 3, 4, 5, 6, 7];
    assert.deepEqual(await Promise.all(items.map((item) => commits.add(item))), items);
    assert.deepEqual(groups, [[1, 2, 3], [4, 5, 6], [7]]);
  });

  test('commits the others of a group in which one fails, and tells that one why', async () => {
    const stored: string[] = [];
    const commits = new GroupCommit<string, string>(async (group) => {
      if (group.includes('poison')) throw new Error('cannot be stored');
      stored.push(...group);
      return group;
    }, mostAtOnce);

    const results = await Promise.allSettled(['a', 'poison', 'b'].map((item) => commits.add(item)));

    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(stored, ['a', 'b']);
    assert.deepEqual(await commits.add('after'), 'after');
  });

  test('is drained when everything added so far is settled', async () => {
    const settled: string[] = [];
    const commits = new GroupCommit<string, string>(async (group) => {
      settled.push(...group);
      return group;
    }, mostAtOnce);
    const adding = ['a', 'b', 'c', 'd', 'e'].map((item) => commits.add(item));
    await commits.drained();
    assert.deepEqual(settled, ['a', 'b', 'c', 'd', 'e']);
    await Promise.all(adding);
    await commits.drained();
  });
});
