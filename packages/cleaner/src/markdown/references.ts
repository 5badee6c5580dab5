import type { FlatNode } from './flat-tree.ts'

/** The number of a URL; the same URL has the same number. */
export function referenceNumber(references: Map<string, number>, address: string): number {
  const number = references.get(address)
  if (number !== undefined) return number
  references.set(address, references.size + 1)
  return references.size
}

/** Append the URLs that a section refers to. */
export function withReferences(
  nodes: readonly FlatNode[],
  references: ReadonlyMap<string, number>,
): FlatNode[] {
  const addresses = new Map([...references].map(([address, number]) => [number, address]))
  const out: FlatNode[] = []
  let used = new Set<number>()
  for (const node of nodes) {
    if (node.type === 'flatBlock')
      for (const [, number] of node.block.markdown.matchAll(/\]\[(\d+)\]/g))
        used.add(Number(number))
    else if (node.type !== 'flatAnchor') close()
    out.push(node)
  }
  close()
  return out

  function close(): void {
    const lines = [...used].flatMap((number) => {
      const address = addresses.get(number)
      return address === undefined ? [] : [`[${number}]: ${address}`]
    })
    if (lines.length > 0)
      out.push({ type: 'flatBlock', block: { kind: 'text', markdown: lines.join('\n') } })
    used = new Set()
  }
}
