import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { groupCommit } from './group-commit.ts';

const batchSize = 3;

describe('a group commit', () => {
  test('commits in order of arrival, in groups of at most the batch size', async () => {
    const groups: (readonly number[])[] = [];
    const meanwhile: Promise<number>[] = [];
    const commits = groupCommit<number, number>(async (group) => {
      groups.push(group);
      if (groups.length === 1) meanwhile.push(commits.add(6), commits.add(7));
      return group.map((item) => 10 * item);
    }, batchSize);

    const outcomes = await Promise.all([1, 2, 3, 4, 5].map((item) => commits.add(item)));

    assert.deepEqual([...outcomes, ...(await Promise.all(meanwhile))], [10, 20, 30, 40, 50, 60, 70]);
    assert.deepEqual(groups, [[1, 2, 3], [4, 5, 6], [7]]);
  });

  test('rejects only the failing item of a group and commits the others', async () => {
    const stored: string[] = [];
    const commits = groupCommit<string, string>(async (group) => {
      if (group.includes('poison')) throw new Error('cannot be stored');
      stored.push(...group);
      return group;
    }, batchSize);

    const results = await Promise.allSettled(['a', 'poison', 'b'].map((item) => commits.add(item)));

    const statuses = results.map(({ status }) => status);
    assert.deepEqual(statuses, ['fulfilled', 'rejected', 'fulfilled']);
    assert.deepEqual(stored, ['a', 'b']);
    assert.deepEqual(await commits.add('after'), 'after');
  });

  test('rejects a whole group at once in an outage', async () => {
    let attempts = 0;
    const commit = () => {
      attempts += 1;
      return Promise.reject(new Error('no answer'));
    };
    const commits = groupCommit<string, string>(commit, batchSize, () => true);
    const results = await Promise.allSettled(['a', 'b'].map((item) => commits.add(item)));
    assert.deepEqual([...results.map(({ status }) => status), attempts], ['rejected', 'rejected', 1]);
  });
});
