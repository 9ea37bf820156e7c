/** Minimal node:http server: reads the body of a lead and sends it back, without storing it. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    response.writeHead(200, { 'content-length': body.length }).end(body);
  });
});
server.listen(0, '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${portOf(server.address())},`),
);
process.on('disconnect', () => process.exit());

function portOf(address: ReturnType<typeof server.address>): number {
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
