import { formToken, formTokenPath, type FormToken, type LeadBackground } from '@countersign/contracts/lead';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

type FormEvidence = Pick<LeadBackground, 'formToken' | 'proof'>;

/** How long a visitor who has pressed send waits for the end of the work, in milliseconds. */
const longestWait = 4000;

/** The same for a token that is on its way, which may never come. */
const longestTokenWait = 1000;

const tokenKey = [formTokenPath] as const;

/**
 * What tells the service that a form was opened by a person. A form without it can be sent as well. The token is asked for
 * as soon as the visitor turns to the form, which is also why this code is there.
 */
export function useFormEvidence(form: HTMLFormElement) {
  const client = useQueryClient();
  const [isUsed, setIsUsed] = useState(true);
  const { data } = useQuery({
    queryKey: tokenKey,
    enabled: isUsed,
    select: (answer) => formToken.parse(answer),
  });
  useQuery({ ...proofOf(data), enabled: data?.challenge !== undefined });
  useEffect(() => {
    const begin = () => setIsUsed(true);
    form.addEventListener('focusin', begin);
    return () => form.removeEventListener('focusin', begin);
  }, [form]);

  /** The token whose request has begun, if it comes in time. */
  async function tokenOnItsWay(): Promise<FormToken | undefined> {
    if (client.isFetching({ queryKey: tokenKey }) === 0) return undefined;
    const answer = client.fetchQuery({ queryKey: tokenKey }).then((token) => formToken.parse(token));
    return Promise.race([answer.catch(() => undefined), elapsed(longestTokenWait)]);
  }

  return {
    /** A lead was stored: the next one begins with a token, and maybe work, of its own. */
    renew() {
      setIsUsed(false);
      client.removeQueries({ queryKey: tokenKey });
    },
    /** What there is by now. Only what has begun is waited for, and not for long. */
    async collect(): Promise<FormEvidence> {
      const known = data ?? (await tokenOnItsWay());
      if (!known) return {};
      if (!known.challenge) return { formToken: known.token };
      const result = await Promise.race([
        client.fetchQuery(proofOf(known)).catch(() => undefined),
        elapsed(longestWait),
      ]);
      return { formToken: known.token, ...(result && { proof: result }) };
    },
  };
}

function proofOf({ token, challenge }: Partial<FormToken> = {}) {
  return queryOptions({
    queryKey: ['proof', token],
    queryFn: async ({ signal }) => {
      if (!challenge) return null;
      const { solveChallenge } = await import(
        /* webpackChunkName: "solve-challenge" */ './solve-challenge.ts'
      );
      return solveChallenge(challenge, signal);
    },
  });
}

function elapsed(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, undefined));
}
