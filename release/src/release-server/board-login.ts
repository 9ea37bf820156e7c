import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerWithBoard, boardHeaders } from '../board/board-server.ts';
import { boardHeaderPolicy, boardPage } from '../board/board-page.ts';
import { html } from '../board/html.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { Identify } from './identity.ts';

/** Seconds after which a browser must log in again. */
const sessionLength = 8 * 3600;
/** Sessions at the same time. The oldest ends first. */
const maxSessions = 1_000;
/** In bytes. A token of an issuer has about 2,000. */
const maxForm = 10_000;
const cookieName = 'release-session';

/** A login of a browser. Keeps its token, so that the session ends when the token does. */
interface Session {
  readonly token: string;
  readonly expires: number;
}

/** The release board, behind a login. Answers a request. */
export type AnswerBoard = (
  request: IncomingMessage,
  response: ServerResponse,
  /** Token of a client that is no browser. */
  bearer: string | undefined,
) => Promise<void>;

/** @param isSecure whether browsers reach the server by HTTPS, so that they must not send the cookie otherwise */
export function createBoardLogin(objects: ObjectStore, identify: Identify, isSecure: boolean): AnswerBoard {
  const sessions = new Map<string, Session>();
  const tokenOf = (request: IncomingMessage): string => {
    const session = sessions.get(cookieOf(request));
    return session && session.expires > Date.now() ? session.token : '';
  };
  const logIn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const token = new URLSearchParams(await readForm(request)).get('token')?.trim() ?? '';
    if (!(await identify(token))) return answerWithLogin(response, 'This token is not valid here.');
    const id = randomBytes(32).toString('base64url');
    sessions.set(id, { token, expires: Date.now() + sessionLength * 1000 });
    const [oldest = ''] = sessions.keys();
    if (sessions.size > maxSessions) sessions.delete(oldest);
    const cookie = `${cookieName}=${id}; Path=/; Max-Age=${sessionLength}; HttpOnly; SameSite=Strict`;
    response
      .writeHead(303, {
        ...boardHeaders,
        Location: '/',
        'Set-Cookie': isSecure ? `${cookie}; Secure` : cookie,
      })
      .end();
  };
  return async (request, response, bearer) => {
    const { 'sec-fetch-site': site = 'same-origin' } = request.headers;
    if (request.method === 'POST' && request.url === '/login' && site === 'same-origin')
      return logIn(request, response);
    if (await identify(bearer ?? tokenOf(request))) return answerWithBoard(objects, request, response);
    answerWithLogin(response);
  };
}

function cookieOf({ headers }: IncomingMessage): string {
  const cookies = headers.cookie?.split(/; */) ?? [];
  const own = cookies.find((cookie) => cookie.startsWith(`${cookieName}=`));
  return own?.slice(cookieName.length + 1) ?? '';
}

/** Reads a form; its beginning only, if it is too long. */
async function readForm(request: IncomingMessage): Promise<string> {
  let form = '';
  for await (const piece of request.setEncoding('utf8')) {
    if (form.length < maxForm) form += String(piece);
  }
  return form;
}

function answerWithLogin(response: ServerResponse, message?: string): void {
  const page = boardPage({
    hasForm: true,
    main: html`<section class="card login" aria-labelledby="title">
      <h1 id="title">Log in</h1>
      ${message !== undefined && html`<p role="alert">${message}</p>`}
      <form method="post" action="/login">
        <label>Token <input name="token" type="password" required autocomplete="current-password" /></label>
        <button type="submit">Log in</button>
      </form>
    </section>`,
    footer: html`People who run the release server give tokens.`,
  });
  response
    .writeHead(401, {
      ...boardHeaders,
      'Content-Security-Policy': boardHeaderPolicy(page),
      'Content-Type': 'text/html; charset=utf-8',
    })
    .end(page);
}
