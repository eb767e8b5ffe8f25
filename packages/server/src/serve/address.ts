import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/internal';

export const usualPort = 4310;

/** Tests if only programs of this machine reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Listens, and returns the URL. @throws HalfspaceError `option-invalid` for an address that cannot be used. */
export async function listenOn(app: FastifyInstance, host: string, port: number, isTls: boolean): Promise<string> {
  try {
    await app.listen({ host, port, listenTextResolver: (address) => `the service listens at ${address}` });
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const hint = code === 'EADDRINUSE' ? ': another program has it; choose another port, or 0 for any free one' : '';
    throw new HalfspaceError(
      'option-invalid',
      `expected a free address; got ${quote(`${host}:${port}`)} (${code})${hint}`,
    );
  }
  const bound = app.server.address() as AddressInfo;
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return `${isTls ? 'https' : 'http'}://${name}:${bound.port}/`;
}
