import { createHash } from 'node:crypto';
import { HalfspaceError } from 'halfspace';
import type { Target } from './target.ts';

/** A fault that an input revealed. */
export interface Fault {
  /** Equal for inputs that reveal the same fault. */
  readonly signature: string;
  readonly message: string;
}

/** Returns a number that is determined by the bytes. */
function choiceOf(bytes: Uint8Array): number {
  return createHash('sha256').update(bytes).digest().readUInt32LE(0);
}

/** Runs an input. Returns null if it was read, or refused correctly. */
export async function judge(target: Target, bytes: Uint8Array): Promise<Fault | null> {
  try {
    // A copy, because a target may keep or change its input.
    await target.run(bytes.slice(), choiceOf(bytes));
    return null;
  } catch (error) {
    return error instanceof HalfspaceError ? refusalFault(error) : faultOf(error);
  }
}

/** Checks that a refusal is one line with "expected", without words of the runtime. */
function refusalFault({ message, code }: HalfspaceError): Fault | null {
  const bad = /[\n\r]/.test(message)
    ? 'more than a line'
    : /undefined|\[object|INTERNAL/.test(message.replace(/"(?:[^"\\]|\\.)*("|…)/g, ''))
      ? 'words of the machine'
      : message.length > 3000
        ? 'too long'
        : null;
  return bad === null
    ? null
    : { signature: `refusal ${code}: ${bad}`, message: `a refusal with ${bad}: ${message.slice(0, 600)}` };
}

function faultOf(error: unknown): Fault {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const place = /^ +at (.+?) \(/m.exec(stack ?? '')?.[1] ?? '';
  const words = message.replace(/[\d.]+|"[^"]*"/g, '…').slice(0, 80);
  return {
    signature: `${name} ${place}: ${name === 'Disagreement' ? words.split(':')[0] : words}`,
    message: (stack ?? message).slice(0, 1500),
  };
}
