import { formToken, formTokenPath, type FormToken } from '@countersign/contracts/lead';
import type { SubmissionMetadata } from '@countersign/contracts/lead-submission';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

type FormTokenFields = Pick<SubmissionMetadata, 'formToken' | 'proof'>;

/** Timeout for the proof of work after the visitor has pressed send, in milliseconds. */
const proofTimeout = 4000;

/** Timeout for a pending token request, in milliseconds. */
const tokenTimeout = 1000;

const tokenKey = [formTokenPath] as const;

/**
 * Form token and proof of work, which help the spam filter to recognise people. Both are optional. The token is
 * requested when the visitor focuses the form, which also loads this code.
 */
export function useFormToken(form: HTMLFormElement) {
  const client = useQueryClient();
  // From the start, because the focus that loaded this code has passed.
  const [isEnabled, setIsEnabled] = useState(true);
  // The client's default query function requests the path in the key.
  const { data } = useQuery({
    queryKey: tokenKey,
    enabled: isEnabled,
    select: (answer) => formToken.parse(answer),
  });
  // Starts the proof of work ahead of the submit.
  useQuery({ ...proofQuery(data), enabled: data?.challenge !== undefined });
  useEffect(() => {
    const enable = () => setIsEnabled(true);
    form.addEventListener('focusin', enable);
    return () => form.removeEventListener('focusin', enable);
  }, [form]);

  /** The token of a pending request, if it arrives before the timeout. */
  async function pendingToken(): Promise<FormToken | undefined> {
    if (client.isFetching({ queryKey: tokenKey }) === 0) return undefined;
    const answer = client.fetchQuery({ queryKey: tokenKey }).then((token) => formToken.parse(token));
    return Promise.race([answer.catch(() => undefined), delay(tokenTimeout)]);
  }

  return {
    /** Drops a used token. The next focus requests another one. */
    renew() {
      setIsEnabled(false);
      client.removeQueries({ queryKey: tokenKey });
    },
    /** Returns the available token and proof. Waits for pending work only, with a timeout. */
    async collect(): Promise<FormTokenFields> {
      const known = data ?? (await pendingToken());
      if (!known) return {};
      if (!known.challenge) return { formToken: known.token };
      const result = await Promise.race([
        client.fetchQuery(proofQuery(known)).catch(() => undefined),
        delay(proofTimeout),
      ]);
      return { formToken: known.token, ...(result && { proof: result }) };
    },
  };
}

function proofQuery({ token, challenge }: Partial<FormToken> = {}) {
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

function delay(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, undefined));
}
