/** The document is outside of what the fast parse guarantees: parse5 has to parse all of it. */
export class HandOver extends Error {}

/** @throws {HandOver} always. */
export function handOver(reason: string): never {
  throw new HandOver(reason)
}
