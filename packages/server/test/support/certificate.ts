import { generateKeyPairSync, sign } from 'node:crypto';

/*
 * Certificates that sign themselves, in DER (X.690) after RFC 5280 and RFC 8410. Node reads certificates and writes none.
 */

const element = (tag: number, ...content: Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  const size = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...content: Uint8Array[]) => element(0x30, ...content);
const objectId = (hex: string) => element(0x06, Buffer.from(hex, 'hex'));
const time = (date: Date) => element(0x18, Buffer.from(date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')));

const ed25519 = sequence(objectId('2b6570'));
const commonName = (name: string) =>
  sequence(element(0x31, sequence(objectId('550403'), element(0x0c, Buffer.from(name)))));
/** The alternative names: an IP address. */
const extensions = (address: readonly number[]) =>
  element(0xa3, sequence(sequence(objectId('551d11'), element(0x04, sequence(element(0x87, Buffer.from(address)))))));

/**
 * Makes a certificate of 127.0.0.1 and its private key, in PEM.
 *
 * @param days from now to its end; may be negative.
 */
export function certificateOf(name: string, days = 1): { readonly certificate: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const day = 86_400_000;
  const content = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.from([1])),
    ed25519,
    commonName(name),
    sequence(time(new Date(Date.now() - 2 * day)), time(new Date(Date.now() + days * day))),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions([127, 0, 0, 1]),
  );
  const signature = element(0x03, Buffer.from([0]), sign(null, content, privateKey));
  const base64 = sequence(content, ed25519, signature)
    .toString('base64')
    .replaceAll(/.{1,64}/g, '$&\n');
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${base64}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
