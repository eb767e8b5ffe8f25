// Any web server does. This one needs nothing but Node.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript' };

const server = createServer(async ({ url }, response) => {
  const path = normalize(new URL(url, 'http://localhost').pathname);
  const file = path === '/' ? 'index.html' : path;
  try {
    const text = await readFile(join(import.meta.dirname, file));
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(text);
  } catch {
    response.writeHead(404).end();
  }
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});
