import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { clockTolerance } from '../platform/clock-tolerance.ts';

export type FormTokenState =
  | { readonly kind: 'absent' | 'forged' | 'expired' }
  | {
      readonly kind: 'good';
      /** Identifies all leads that are sent with this token. */
      readonly id: string;
      readonly secondsOld: number;
      readonly challenged: boolean;
    };

export interface FormTokens {
  issue(challenged: boolean): { readonly id: string; readonly token: string };
  read(token: string | undefined): FormTokenState;
}

/**
 * In milliseconds. People may send a form a day after they opened it; older tokens probably come from a recorded
 * request.
 */
export const tokenLifetime = 24 * 60 * 60_000;

/** `<time in base 36>.<c with a challenge, p without>.<id>.<HMAC-SHA256 of the preceding parts>` */
const shape = /^([\da-z]{1,11})\.([cp])\.([\w-]{16})\.([\w-]{43})$/;

/** Signed tokens with the time at which the form was opened. The signature prevents forged times. */
export function createFormTokens(key: Buffer): FormTokens {
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  return {
    issue(challenged) {
      const id = randomBytes(12).toString('base64url');
      const text = `${Date.now().toString(36)}.${challenged ? 'c' : 'p'}.${id}`;
      return { id, token: `${text}.${sign(text)}` };
    },
    read(token) {
      if (token === undefined) return { kind: 'absent' };
      const [, time = '', kind = '', id = '', signature = ''] = shape.exec(token) ?? [];
      const expected = sign(`${time}.${kind}.${id}`);
      if (signature.length !== expected.length) return { kind: 'forged' };
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return { kind: 'forged' };
      const age = Date.now() - Number.parseInt(time, 36);
      // A token from the future would stay valid for longer than a day.
      if (age > tokenLifetime || age < -clockTolerance) return { kind: 'expired' };
      return { kind: 'good', id, secondsOld: age / 1000, challenged: kind === 'c' };
    },
  };
}
