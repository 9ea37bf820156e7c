/** The least that node:http can do with a lead: read its body, send it back, store nothing. */
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
  if (address === null || typeof address === 'string') throw new Error('Listens on no port.');
  return address.port;
}
