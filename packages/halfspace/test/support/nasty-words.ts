/** Ranges of characters that must be escaped, written out independently of the escaping code. */
const raw: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0xe0001, 0xe007f],
];

/** Joiners are ordinary between letters of scripts that are joined, and inside an emoji. */
const ordinaryJoiner =
  /(?<=(?!\p{Script=Latin})[\p{L}\p{M}])[\u200c\u200d](?=(?!\p{Script=Latin})[\p{L}\p{M}])|(?<=(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu;

/** The characters of a text that must not be there as they are: `U+001B`. */
export function rawSigns(text: string): string[] {
  return [...text.replace(ordinaryJoiner, '')]
    .map((sign) => sign.codePointAt(0)!)
    .filter((point) => raw.some(([from, to]) => point >= from && point <= to))
    .map((point) => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`);
}
