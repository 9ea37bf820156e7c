import { formToken, formTokenPath, type LeadBackground } from '@countersign/contracts/lead';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

type FormEvidence = Pick<LeadBackground, 'formToken' | 'proof'>;

/** How long a visitor who has pressed send waits for the end of the work, in milliseconds. */
const longestWait = 4000;

/**
 * What tells the service that a form was opened by a person. A form without it can be sent as well. The token is asked for
 * as soon as the visitor turns to the form, which is also why this code is there.
 */
export function useFormEvidence(form: HTMLFormElement) {
  const client = useQueryClient();
  const [isUsed, setIsUsed] = useState(true);
  const { data: { token, challenge } = {} } = useQuery({
    queryKey: [formTokenPath],
    enabled: isUsed,
    select: (answer) => formToken.parse(answer),
  });
  const proof = queryOptions({
    queryKey: ['proof', token],
    queryFn: async ({ signal }) => {
      if (!challenge) return null;
      const { solveChallenge } = await import(
        /* webpackChunkName: "solve-challenge" */ './solve-challenge.ts'
      );
      return solveChallenge(challenge, signal);
    },
    enabled: challenge !== undefined,
  });
  useQuery(proof);
  useEffect(() => {
    const begin = () => setIsUsed(true);
    form.addEventListener('focusin', begin);
    return () => form.removeEventListener('focusin', begin);
  }, [form]);
  return {
    /** A lead was stored: the next one begins with a token, and maybe work, of its own. */
    renew() {
      setIsUsed(false);
      client.removeQueries({ queryKey: [formTokenPath] });
    },
    /** What there is by now. Only work that has begun is waited for, and not for long. */
    async collect(): Promise<FormEvidence> {
      if (token === undefined) return {};
      if (!challenge) return { formToken: token };
      const result = await Promise.race([
        client.fetchQuery(proof).catch(() => undefined),
        elapsed(longestWait),
      ]);
      return { formToken: token, ...(result && { proof: result }) };
    },
  };
}

function elapsed(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, undefined));
}
